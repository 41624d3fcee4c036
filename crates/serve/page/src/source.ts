// Where counts come from, in the form of Lichess' opening explorer.

import type { Line } from './line';

export interface Player {
    name: string;
    rating: number;
}

export interface Game {
    id: string;
    uci: string;
    result: string;
    white: Player;
    black: Player;
    year: number;
}

export interface Opening {
    eco: string;
    name: string;
}

export interface Counts {
    games: number;
    white: number;
    draws: number;
    black: number;
}

export interface Move extends Counts {
    uci: string;
    san: string;
    averageRating?: number;
    opening: Opening | null;
}

export interface Answer extends Counts {
    moves: Move[];
    topGames: Game[];
    opening: Opening | null;
}

export interface Source {
    /** The classes of games that are counted separately, as `book --group-by` has them. */
    readonly groupedBy: string;
    /** The counts of the position of a line, in the games that a filter selects. */
    find(line: Line, filter: URLSearchParams): Promise<Answer>;
    /** The address of the text of a game, if there is one. */
    game?(id: string): string;
}

/** The libraries of the server that this page is from. */
export async function libraries(): Promise<{ name: string; positions: number; games: boolean; groupedBy: string }[]> {
    return await (await fetched('index.json')).json();
}

/** A library of a server. */
export class ServerSource implements Source {
    readonly game?: (id: string) => string;

    constructor(readonly name: string, hasGames: boolean, readonly groupedBy: string) {
        if (hasGames) this.game = (id) => `${name}/pgn/${id}`;
    }

    async find(line: Line, filter: URLSearchParams): Promise<Answer> {
        const query = new URLSearchParams({ fen: line.start, play: line.ucis.join(','), undecided: 'true', ...Object.fromEntries(filter) });
        return await (await fetched(`${this.name}?${query}`)).json();
    }
}

async function fetched(path: string): Promise<Response> {
    const response = await fetch(path);
    if (response.ok) return response;
    const body = await response.text();
    let reason = `${response.status} ${response.statusText}`;
    try {
        reason = JSON.parse(body).error ?? reason;
    } catch {
        // The answer is from something else than this server.
    }
    throw new Error(reason);
}
