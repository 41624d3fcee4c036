// The tables of moves and games.

import type { Answer, Counts, Game } from './source';

const number = new Intl.NumberFormat('en');

/** A row that plays a move. */
type OnMove = (uci: string) => void;

function element<K extends keyof HTMLElementTagNameMap>(
    name: K,
    text: string | Node = '',
    className = '',
): HTMLElementTagNameMap[K] {
    const made = document.createElement(name);
    made.append(text);
    if (className) made.className = className;
    return made;
}

/** The shares of the results in whole percent. */
function shares({ white, draws, black }: Counts): number[] | undefined {
    const decided = white + draws + black;
    if (decided === 0) return undefined;
    return [white, draws, black].map((count) => (100 * count) / decided);
}

function bar(counts: Counts): HTMLElement {
    const percent = shares(counts);
    if (!percent) return element('span', 'no results');
    const made = element('div', '', 'bar');
    const [white, draws, black] = percent.map((share) => `${Math.round(share)} %`);
    made.setAttribute('role', 'img');
    made.setAttribute('aria-label', `White wins ${white}, draws ${draws}, Black wins ${black}`);
    for (const share of percent) {
        const part = element('span', share >= 20 ? `${Math.round(share)}%` : '');
        part.style.flexGrow = String(share);
        made.append(part);
    }
    return made;
}

function row(uci: string, first: string, cells: HTMLElement[], point: OnMove, play: OnMove): HTMLElement {
    const made = element('tr');
    const button = element('button', first);
    button.type = 'button';
    made.append(element('td', button), ...cells);
    made.addEventListener('click', () => play(uci));
    for (const begin of ['mouseenter', 'focusin']) made.addEventListener(begin, () => point(uci));
    for (const end of ['mouseleave', 'focusout']) made.addEventListener(end, () => point(''));
    return made;
}

export function showMoves(table: HTMLTableElement, answer: Answer, point: OnMove, play: OnMove): void {
    const rows = answer.moves.map((move) =>
        row(
            move.uci,
            move.san,
            [
                element('td', number.format(move.games), 'number'),
                element('td', bar(move)),
                element('td', move.averageRating ? String(move.averageRating) : '', 'number'),
                element('td', move.opening ? `${move.opening.eco} ${move.opening.name}` : '', 'name wide'),
            ],
            point,
            play,
        ),
    );
    table.tBodies[0]!.replaceChildren(...rows);
    const all = element('tr');
    const head = element('th', 'All');
    head.scope = 'row';
    all.append(head, element('td', number.format(answer.games), 'number'), element('td', bar(answer)));
    all.append(element('td'), element('td', '', 'name wide'));
    table.tFoot!.replaceChildren(all);
    table.classList.toggle('empty', answer.games === 0);
}

export function showGames(
    table: HTMLTableElement,
    games: Game[],
    san: (uci: string) => string,
    address: ((id: string) => string) | undefined,
    point: OnMove,
    play: OnMove,
): void {
    const player = ({ name }: Game['white']) => element('td', name.replace(/,(?=\S)/, ', ') || '?');
    const shown: Record<string, string> = { '1-0': '1–0', '0-1': '0–1', '1/2-1/2': '½–½' };
    const result = ({ result }: Game) => shown[result] ?? result;
    const link = (href: string, text: string) => {
        const made = element('a', text);
        made.href = href;
        made.title = 'PGN of the game';
        made.addEventListener('click', (event) => event.stopPropagation());
        return made;
    };
    const rows = games.slice(0, 12).map((game) =>
        row(
            game.uci,
            san(game.uci),
            [
                player(game.white),
                player(game.black),
                element('td', address ? link(address(game.id), result(game)) : result(game)),
                element('td', game.white.rating ? String(game.white.rating) : '', 'number wide'),
                element('td', game.year ? String(game.year) : '', 'number'),
            ],
            point,
            play,
        ),
    );
    table.tBodies[0]!.replaceChildren(...rows);
    table.classList.toggle('empty', rows.length === 0);
}

export function summary(answer: Answer): string {
    if (answer.games === 0) return 'No game reached this position.';
    const games = `${number.format(answer.games)} ${answer.games === 1 ? 'game' : 'games'}`;
    const count = answer.moves.length;
    return `${games}, ${count} ${count === 1 ? 'move' : 'moves'}`;
}
