// The page: a line of moves, and the counts of its position.

import { INITIAL_FEN } from 'chessops/fen';
import { makeSan } from 'chessops/san';
import type { Role } from 'chessops/types';
import { parseUci } from 'chessops/util';

import { Board, picture } from './board';
import { FileSource } from './file';
import { FilterForm, filterOf } from './filter';
import { Line } from './line';
import { libraries, ServerSource } from './source';
import type { Answer, Source } from './source';
import { showGames, showMoves, summary } from './table';

function byId<T extends HTMLElement>(id: string): T {
    return document.getElementById(id) as T;
}

const sources = new Map<string, Source>();
let name = '';
/** Why there are no counts. */
let missing = 'There are no counts.';
let line = new Line();
/** Which games are counted. */
let filter = new URLSearchParams();
/** Answers so far, by what was asked. */
const answers = new Map<string, Answer>();
const MOST_ANSWERS = 500;

const board = new Board(byId('board'), async (from, to) => {
    const promotion = line.promotes(from, to) ? await promoted() : undefined;
    if (promotion !== null) play({ from, to, promotion });
});

const form = new FilterForm(byId('filter'), (selected) => {
    filter = selected;
    go();
});

/** Asks for the piece to promote to; `null` if the move is not to be played. */
function promoted(): Promise<Role | null> {
    const dialog = byId<HTMLDialogElement>('promotion');
    const roles: Role[] = ['queen', 'knight', 'rook', 'bishop'];
    const buttons = roles.map((role) => {
        const button = document.createElement('button');
        button.type = 'button';
        button.setAttribute('aria-label', role);
        button.append(picture(line.position.turn, role));
        button.addEventListener('click', () => dialog.close(role));
        return button;
    });
    dialog.replaceChildren(...buttons);
    dialog.returnValue = '';
    dialog.showModal();
    return new Promise((resolve) => {
        dialog.addEventListener('close', () => resolve((dialog.returnValue as Role) || null), { once: true });
    });
}

function play(move: Parameters<Line['play']>[0]): void {
    if (line.play(move)) go();
    else void show();
}

function playUci(uci: string): void {
    const move = parseUci(uci);
    if (move) play(move);
}

function pointAt(uci: string): void {
    board.point(parseUci(uci));
}

/** Goes to the place in the line that is set, with an entry in the history of the browser. */
function go(): void {
    history.pushState(null, '', link());
    void show();
}

/** The address of the position. */
function link(): string {
    const hash = new URLSearchParams();
    if (sources.size > 1) hash.set('of', name);
    if (line.start !== INITIAL_FEN) hash.set('fen', line.start);
    if (line.at > 0) hash.set('play', line.ucis.join(','));
    for (const [parameter, value] of filter) hash.set(parameter, value);
    const text = hash.toString().replaceAll('%2C', ',').replaceAll('%2F', '/');
    return `${location.pathname}${location.search}${text ? `#${text}` : ''}`;
}

/** Shows what the address says. */
function follow(): void {
    const hash = new URLSearchParams(location.hash.slice(1));
    const of = hash.get('of');
    if (of && sources.has(of)) name = of;
    byId<HTMLSelectElement>('file').value = name;
    filter = filterOf(hash);
    byId('error').textContent = '';
    try {
        const next = new Line(hash.get('fen') ?? INITIAL_FEN);
        const moves = (hash.get('play') ?? '').split(',').filter((uci) => uci !== '');
        for (const uci of moves) {
            if (!next.playText(uci)) throw new Error(`${uci} is not a legal move after ${next.name()}.`);
        }
        line = next;
    } catch (error) {
        byId('error').textContent = (error as Error).message;
    }
    void show();
}

async function show(): Promise<void> {
    board.show(line.position, line.moves[line.at - 1]);
    byId('fen').textContent = line.fen;
    byId<HTMLButtonElement>('first').disabled = byId<HTMLButtonElement>('back').disabled = line.at === 0;
    const isLast = line.at === line.moves.length;
    byId<HTMLButtonElement>('last').disabled = byId<HTMLButtonElement>('forward').disabled = isLast;
    showLine();
    form.show(sources.get(name)?.groupedBy ?? '', filter);
    const asked = link();
    try {
        const answer = await answered(asked);
        // Another position may be shown by now.
        if (asked === link()) showAnswer(answer);
    } catch (error) {
        if (asked !== link()) return;
        showAnswer({ games: 0, white: 0, draws: 0, black: 0, moves: [], topGames: [], opening: null });
        byId('status').textContent = (error as Error).message;
    }
}

async function answered(asked: string): Promise<Answer> {
    const known = answers.get(asked);
    if (known) return known;
    const source = sources.get(name);
    if (!source) throw new Error(missing);
    const answer = await source.find(line, filter);
    if (answers.size >= MOST_ANSWERS) answers.clear();
    answers.set(asked, answer);
    return answer;
}

function showAnswer(answer: Answer): void {
    const { opening } = answer;
    byId('opening').textContent = opening ? `${opening.eco} ${opening.name}` : line.at === 0 ? 'Start' : 'No name';
    const last = line.sans[line.at - 1];
    byId('status').textContent = (last ? `After ${line.number(line.at - 1)}${last}: ` : '') + summary(answer);
    const san = (uci: string) => {
        const move = parseUci(uci);
        return move ? makeSan(line.position, move) : uci;
    };
    showMoves(byId('moves'), answer, pointAt, playUci);
    showGames(byId('games'), answer.topGames, san, sources.get(name)?.game, pointAt, playUci);
}

function showLine(): void {
    const items = line.sans.map((san, i) => {
        const item = document.createElement('li');
        const button = document.createElement('button');
        button.type = 'button';
        button.textContent = line.number(i) + san;
        if (i + 1 === line.at) button.setAttribute('aria-current', 'step');
        button.addEventListener('click', () => to(i + 1));
        item.append(button);
        return item;
    });
    byId('line').replaceChildren(...items);
}

function to(at: number): void {
    const wanted = Math.max(0, Math.min(at, line.moves.length));
    if (wanted === line.at) return;
    line.at = wanted;
    // The rest of the line stays, which the address of the position does not have.
    history.replaceState(null, '', link());
    void show();
}

function search(event: Event): void {
    event.preventDefault();
    byId('error').textContent = '';
    try {
        line = Line.of(byId<HTMLInputElement>('query').value);
        go();
    } catch (error) {
        byId('error').textContent = (error as Error).message;
    }
}

function pressed(event: KeyboardEvent): void {
    const target = event.target as Element;
    const isText = target.closest('input, select, dialog') !== null;
    if (isText || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const places: Record<string, number> = { ArrowLeft: line.at - 1, ArrowRight: line.at + 1, Home: 0, End: line.moves.length };
    const place = places[event.key];
    if (place === undefined) return;
    event.preventDefault();
    to(place);
}

/** Light or dark, as the system has it until the button is used. */
function themes(): void {
    const button = byId('theme');
    const system = matchMedia('(prefers-color-scheme: dark)');
    let chosen: string | null = null;
    const draw = () => {
        const isDark = chosen ? chosen === 'night' : system.matches;
        document.documentElement.className = isDark ? 'night' : 'day';
        button.textContent = isDark ? 'Light' : 'Dark';
    };
    try {
        chosen = localStorage.getItem('theme');
    } catch {
        // A browser may refuse to store anything.
    }
    button.addEventListener('click', () => {
        chosen = document.documentElement.className === 'night' ? 'day' : 'night';
        try {
            localStorage.setItem('theme', chosen);
        } catch {
            // As above.
        }
        draw();
    });
    system.addEventListener('change', draw);
    draw();
}

async function begin(): Promise<void> {
    themes();
    byId('first').addEventListener('click', () => to(0));
    byId('back').addEventListener('click', () => to(line.at - 1));
    byId('forward').addEventListener('click', () => to(line.at + 1));
    byId('last').addEventListener('click', () => to(line.moves.length));
    byId('flip').addEventListener('click', () => board.flip());
    byId('search').addEventListener('submit', search);
    document.addEventListener('keydown', pressed);
    addEventListener('popstate', follow);
    board.show(line.position);
    const file = new URLSearchParams(location.search).get('file');
    try {
        if (file) sources.set(file, await FileSource.open(file));
        else {
            for (const { name, games, groupedBy } of await libraries()) sources.set(name, new ServerSource(name, games, groupedBy));
        }
    } catch (error) {
        missing = (error as Error).message;
    }
    name = sources.keys().next().value ?? '';
    const select = byId<HTMLSelectElement>('file');
    select.replaceChildren(...[...sources.keys()].map((key) => new Option(key)));
    byId('file-label').hidden = sources.size < 2;
    select.addEventListener('change', () => {
        name = select.value;
        // Other files may have other classes.
        filter = new URLSearchParams();
        go();
    });
    follow();
}

void begin();
