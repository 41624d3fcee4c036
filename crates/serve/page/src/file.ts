// An explorer file on a host that gives ranges of it, read as docs/explorer.md describes.

import { decompress } from 'fzstd';
import type { Chess } from 'chessops/chess';
import { makeSan } from 'chessops/san';
import type { SquareSet } from 'chessops/squareSet';
import type { NormalMove, Role } from 'chessops/types';
import { makeUci } from 'chessops/util';

import { SPEEDS, wants, type GameClass } from './filter';
import type { Line } from './line';
import type { Answer, Counts, Game, Opening, Source } from './source';

const MAGIC = 'pgn2epd counts\n\0';
const VERSION = 1;
const TRAILER = 28;
const RECORD = 48;
/** Bytes that are read at the end of the file, which mostly have the header and the list of pages. */
const END = 64 << 10;
/** Pages and blocks that are kept. */
const KEPT = 256;

interface Record {
    first: Uint8Array;
    offset: number;
    length: number;
    crc: number;
}

interface Entry extends Counts {
    opening: Opening | null;
    moves: (Counts & { move: NormalMove; code: number; rated: number; ratings: number })[];
    notable: (Omit<Game, 'uci'> & { move: NormalMove; rating: number })[];
}

export class FileSource implements Source {
    private readonly sections = new Map<number, Promise<Uint8Array>>();
    /** The names of the positions so far, by key. */
    private readonly names = new Map<string, Opening>();

    private constructor(
        private readonly path: string,
        readonly groupedBy: string,
        private readonly pages: Record[],
    ) {}

    static async open(path: string): Promise<FileSource> {
        const { bytes: last, length } = await range(path, `-${END}`);
        const head = new Reader((await range(path, '0-19')).bytes);
        if (head.text(16) !== MAGIC) throw new Error(`${path} is not an explorer file.`);
        const version = head.fixed(4);
        if (version !== VERSION) throw new Error(`${path} has version ${version} of the format, which this page does not read.`);
        const trailer = last.subarray(last.length - TRAILER);
        const reader = new Reader(trailer);
        const rootLength = reader.fixed(8);
        const crc = reader.fixed(4);
        const end = length - TRAILER;
        if (reader.text(16) !== MAGIC || rootLength > end) throw damaged(path);
        const isRead = rootLength + TRAILER <= last.length;
        const from = last.length - TRAILER - rootLength;
        const root = isRead
            ? last.subarray(from, last.length - TRAILER)
            : (await range(path, `${end - rootLength}-${end - 1}`)).bytes;
        if (crc32(trailer.subarray(0, 8), crc32(root)) !== crc) throw damaged(path);
        const line = root.indexOf(10);
        const header = JSON.parse(new TextDecoder().decode(root.subarray(0, line)));
        return new FileSource(path, header.grouped_by, records(root.subarray(line + 1)));
    }

    async find(line: Line, filter: URLSearchParams): Promise<Answer> {
        const { position } = line;
        const key = keyOf(position);
        const entry = await this.entry(key, filter);
        if (entry?.opening) this.names.set(String(key), entry.opening);
        // The last name on the way that is known.
        const known = line.positions.slice(0, line.at + 1).map((before) => this.names.get(String(keyOf(before))));
        const opening = known.reverse().find((name) => name !== undefined) ?? null;
        if (!entry) return { games: 0, white: 0, draws: 0, black: 0, moves: [], topGames: [], opening };
        const legal = entry.moves.filter(({ move }) => position.isLegal(move)).sort((a, b) => b.games - a.games);
        const { games, white, draws, black } = entry;
        return {
            games,
            white,
            draws,
            black,
            opening,
            moves: legal.map(({ move, code, rated, ratings, ...counts }) => ({
                ...counts,
                averageRating: rated > 0 ? Math.round(ratings / 2 / rated) : undefined,
                uci: makeUci(move),
                san: makeSan(position, move),
                opening: null,
            })),
            topGames: entry.notable
                .filter(({ move }) => position.isLegal(move))
                .sort((a, b) => b.rating - a.rating)
                .map(({ move, ...game }) => ({ ...game, uci: makeUci(move) })),
        };
    }

    private async entry(key: Uint8Array, filter: URLSearchParams): Promise<Entry | undefined> {
        const page = last(this.pages, key);
        if (!page) return undefined;
        const blocks = records(await this.section(page));
        // A large position is all of several blocks.
        const all = blocks.filter(({ first }) => compare(first, key) === 0);
        const block = last(blocks, key);
        let entry: Entry | undefined;
        for (const part of all.length > 0 || !block ? all : [block]) {
            entry = inBlock(await this.section(part), key, filter, entry);
        }
        return entry;
    }

    private section(record: Record): Promise<Uint8Array> {
        const known = this.sections.get(record.offset);
        if (known) return known;
        const read = async () => {
            const { bytes } = await range(this.path, `${record.offset}-${record.offset + record.length - 1}`);
            if (bytes.length !== record.length || crc32(bytes) !== record.crc) throw damaged(this.path);
            return bytes[0] === 0 ? bytes.subarray(1) : decompress(bytes.subarray(1));
        };
        const section = read();
        if (this.sections.size >= KEPT) this.sections.clear();
        this.sections.set(record.offset, section);
        section.catch(() => this.sections.delete(record.offset));
        return section;
    }
}

function damaged(path: string): Error {
    return new Error(`${path} is damaged.`);
}

async function range(path: string, bytes: string): Promise<{ bytes: Uint8Array; length: number }> {
    const response = await fetch(path, { headers: { Range: `bytes=${bytes}` } });
    if (response.status !== 206) {
        await response.body?.cancel();
        if (!response.ok) throw new Error(`${path}: ${response.status} ${response.statusText}`);
        throw new Error(`${path}: the host does not give ranges of files.`);
    }
    const length = Number(/\/(\d+)$/.exec(response.headers.get('Content-Range') ?? '')?.[1]);
    return { bytes: new Uint8Array(await response.arrayBuffer()), length };
}

/** Reads numbers and texts. */
class Reader {
    private at = 0;

    constructor(private readonly bytes: Uint8Array) {}

    get isAtEnd(): boolean {
        return this.at >= this.bytes.length;
    }

    take(length: number): Uint8Array {
        if (this.at + length > this.bytes.length) throw new Error('A block ends early.');
        this.at += length;
        return this.bytes.subarray(this.at - length, this.at);
    }

    fixed(length: number): number {
        return this.take(length).reduceRight((number, byte) => number * 256 + byte, 0);
    }

    number(): number {
        let [number, factor] = [0, 1];
        for (;;) {
            const byte = this.fixed(1);
            number += (byte & 127) * factor;
            if (byte < 128) return number;
            factor *= 128;
        }
    }

    text(length: number): string {
        return new TextDecoder().decode(this.take(length));
    }

    /** Reads a text after its length. */
    word(): string {
        return this.text(this.number());
    }

    optional<T>(read: () => T): T | undefined {
        return this.fixed(1) > 0 ? read() : undefined;
    }
}

function records(bytes: Uint8Array): Record[] {
    const reader = new Reader(bytes);
    return Array.from({ length: bytes.length / RECORD }, () => ({
        first: reader.take(32),
        offset: reader.fixed(8),
        length: reader.fixed(4),
        crc: reader.fixed(4),
    }));
}

function compare(a: Uint8Array, b: Uint8Array): number {
    const i = a.findIndex((byte, i) => byte !== b[i]);
    return i < 0 ? 0 : a[i]! - b[i]!;
}

/** The last part that begins with the key or a lesser one. */
function last(records: Record[], key: Uint8Array): Record | undefined {
    let [low, high] = [0, records.length];
    while (low < high) {
        const middle = (low + high) >> 1;
        if (compare(records[middle]!.first, key) <= 0) low = middle + 1;
        else high = middle;
    }
    return records[low - 1];
}

function keyOf(position: Chess): Uint8Array {
    const { board, castles, turn } = position;
    const rights = castles.castlingRights;
    let fourth = turn === 'white' ? board.black : board.white.complement();
    const { epSquare } = position.toSetup();
    if (epSquare !== undefined) fourth = fourth.has(epSquare) ? fourth.without(epSquare) : fourth.with(epSquare);
    const numbers: SquareSet[] = [
        board.rook.union(board.queen).union(board.king),
        board.pawn.union(board.bishop).union(board.queen).union(rights),
        board.knight.union(board.bishop).union(board.king).union(rights),
        fourth,
    ];
    const key = new DataView(new ArrayBuffer(32));
    for (const [i, { lo, hi }] of numbers.entries()) {
        key.setUint32(8 * i, hi);
        key.setUint32(8 * i + 4, lo);
    }
    return new Uint8Array(key.buffer);
}

/** Adds what a block has of a position. */
function inBlock(bytes: Uint8Array, wanted: Uint8Array, filter: URLSearchParams, before?: Entry): Entry | undefined {
    const reader = new Reader(bytes);
    const games = Array.from({ length: reader.number() }, () => readGame(reader));
    const key = new Uint8Array(32);
    while (!reader.isAtEnd) {
        const shared = reader.fixed(1);
        key.set(reader.take(32 - shared), shared);
        const entry = new Reader(reader.take(reader.number()));
        if (compare(key, wanted) === 0) return entryOf(entry, games, filter, before);
    }
    return before;
}

/** Reads a position. */
function entryOf(reader: Reader, games: ReadGame[], filter: URLSearchParams, before?: Entry): Entry {
    const [eco, name] = [reader.word(), reader.word()];
    const entry: Entry = before ?? { opening: eco || name ? { eco, name } : null, notable: [], moves: [], ...none() };
    for (let left = reader.number(); left > 0; left--) {
        const isOne = reader.number() === 0;
        // Polyglot books alone tell moves with pinned en passant squares apart.
        const code = reader.number() & 0x7fff;
        const move = moveOf(code);
        const { counts, notable } = isOne ? countsOfOne(reader, games) : countsOfSeveral(reader, games);
        // All games of a count have the same class.
        if (notable[0]?.group && !wants(filter, notable[0].group)) continue;
        entry.notable.push(...notable.map(({ game }) => ({ ...game, move })));
        add(entry, counts);
        const known = entry.moves.find((other) => other.code === code);
        if (known) {
            add(known, counts);
            known.rated += counts.rated;
            known.ratings += counts.ratings;
        } else {
            entry.moves.push({ ...counts, move, code });
        }
    }
    return entry;
}

function none(): Counts {
    return { games: 0, white: 0, draws: 0, black: 0 };
}

function add(sum: Counts, other: Counts): void {
    for (const name of ['games', 'white', 'draws', 'black'] as const) sum[name] += other[name];
}

interface ReadGame {
    game: Omit<Entry['notable'][number], 'move'>;
    group: GameClass | undefined;
}

interface ReadCounts {
    counts: Counts & { rated: number; ratings: number };
    notable: ReadGame[];
}

function countsOfOne(reader: Reader, games: ReadGame[]): ReadCounts {
    const read = readPlace(reader, games);
    const { rating, result } = read.game;
    const won = (text: string) => +(result === text);
    const counts = { games: 1, white: won('1-0'), draws: won('1/2-1/2'), black: won('0-1') };
    return { counts: { ...counts, rated: +(rating > 0), ratings: rating }, notable: [read] };
}

function countsOfSeveral(reader: Reader, games: ReadGame[]): ReadCounts {
    const [all, white, draws, black, rated, ratings] = numbers(reader, 6);
    const counts = { games: all!, white: white!, draws: draws!, black: black!, rated: rated!, ratings: ratings! };
    // The years, and the first game.
    numbers(reader, 2);
    readPlace(reader, games);
    const notable = [readPlace(reader, games)];
    const latest = reader.optional(() => readPlace(reader, games));
    return { counts, notable: latest ? [...notable, latest] : notable };
}

function numbers(reader: Reader, length: number): number[] {
    return Array.from({ length }, () => reader.number());
}

function readGame(reader: Reader): ReadGame {
    const [file, number, rating, year, result] = numbers(reader, 5);
    const player = () => ({ name: reader.word(), rating: Math.ceil(rating! / 2) });
    const [white, black] = [player(), player()];
    // Its start and its moves.
    reader.word();
    numbers(reader, reader.number());
    const group = reader.optional(() => ({
        rating: reader.optional(() => reader.number()),
        speed: reader.optional(() => SPEEDS[reader.number()]!),
        year: reader.optional(() => reader.number()),
        month: reader.optional(() => reader.word()),
        white: reader.optional(() => reader.word()),
        black: reader.optional(() => reader.word()),
    }));
    const text = ['1-0', '0-1', '1/2-1/2', '*'][result!] ?? '*';
    return { game: { id: `${file}-${number}`, result: text, white, black, year: year!, rating: rating! }, group };
}

/** Reads a place; returns the game. */
function readPlace(reader: Reader, games: ReadGame[]): ReadGame {
    const [game] = numbers(reader, 5);
    const read = games[game!];
    if (!read) throw new Error('A block has no such game.');
    return read;
}

function moveOf(code: number): NormalMove {
    const roles: (Role | undefined)[] = [undefined, undefined, 'knight', 'bishop', 'rook', 'queen'];
    return { from: code & 63, to: (code >> 6) & 63, promotion: roles[(code >> 12) & 7] };
}

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? 0xedb88320 ^ (crc >>> 1) : crc >>> 1;
    return crc;
});

function crc32(bytes: Uint8Array, before = 0): number {
    let crc = ~before;
    for (const byte of bytes) crc = TABLE[(crc ^ byte) & 255]! ^ (crc >>> 8);
    return ~crc >>> 0;
}
