// A line of moves, and the place in it.

import { Chess, normalizeMove } from 'chessops/chess';
import { INITIAL_FEN, makeFen, parseFen } from 'chessops/fen';
import { makeSan, parseSan } from 'chessops/san';
import type { Move } from 'chessops/types';
import { makeUci, parseUci } from 'chessops/util';

export class Line {
    /** The position before each move, and the last one. */
    readonly positions: Chess[];
    readonly moves: Move[] = [];
    readonly sans: string[] = [];
    at = 0;

    constructor(readonly start: string = INITIAL_FEN) {
        const setup = parseFen(start.trim()).unwrap(
            (setup) => setup,
            () => {
                throw new Error('This is not a FEN.');
            },
        );
        const position = Chess.fromSetup(setup).unwrap(
            (position) => position,
            () => {
                throw new Error('The position of this FEN is not legal.');
            },
        );
        this.positions = [position];
    }

    get position(): Chess {
        return this.positions[this.at]!;
    }

    get fen(): string {
        return makeFen(this.position.toSetup());
    }

    get ucis(): string[] {
        return this.moves.slice(0, this.at).map(makeUci);
    }

    /** Plays a move, and drops what followed unless it is the same. */
    play(move: Move): boolean {
        const next = normalizeMove(this.position, move);
        if (!this.position.isLegal(next)) return false;
        const old = this.moves[this.at];
        if (!old || makeUci(old) !== makeUci(next)) {
            this.positions.length = this.at + 1;
            this.moves.length = this.sans.length = this.at;
            const after = this.position.clone();
            this.sans.push(makeSan(after, next));
            after.play(next);
            this.moves.push(next);
            this.positions.push(after);
        }
        this.at += 1;
        return true;
    }

    /** Plays a move in UCI notation or SAN. */
    playText(text: string): boolean {
        const move = parseUci(text) ?? parseSan(this.position, text);
        return move !== undefined && this.play(move);
    }

    /** Whether a move from one square to another needs a piece to promote to. */
    promotes(from: number, to: number): boolean {
        const rank = to >> 3;
        return this.position.board.get(from)?.role === 'pawn' && (rank === 0 || rank === 7);
    }

    /** Returns the line of a text: a FEN, or moves with or without numbers. */
    static of(text: string): Line {
        if (text.includes('/')) return new Line(text);
        const line = new Line();
        const words = text.replace(/\{[^}]*\}/g, ' ').split(/[\s,]+/);
        for (const word of words) {
            const move = word.replace(/^\d+\.+/, '').replace(/[!?]+$/, '');
            if (move === '' || /^(\d+|\*|1-0|0-1|1\/2-1\/2)$/.test(move)) continue;
            if (!line.playText(move)) throw new Error(`${move} is not a legal move after ${line.name()}.`);
        }
        return line;
    }

    /** The moves so far with their numbers. */
    name(): string {
        if (this.at === 0) return 'the start';
        return this.sans.slice(0, this.at).map((san, i) => this.number(i) + san).join(' ');
    }

    /** The number before a move, where it has one. */
    number(i: number): string {
        const { turn, fullmoves } = this.positions[i]!;
        if (turn === 'white') return `${fullmoves}. `;
        return i === 0 ? `${fullmoves}… ` : '';
    }
}
