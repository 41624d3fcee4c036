// The board: squares are buttons in a grid, so that keys and screen readers reach each of them.

import type { Chess } from 'chessops/chess';
import { normalizeMove } from 'chessops/chess';
import type { Color, Move, Piece, Role } from 'chessops/types';
import { makeSquare } from 'chessops/util';

const SVG = 'http://www.w3.org/2000/svg';

/** A picture of a piece. */
export function picture(color: Color, role: Role): SVGSVGElement {
    const svg = document.createElementNS(SVG, 'svg');
    svg.setAttribute('viewBox', '0 0 100 100');
    svg.setAttribute('class', color);
    svg.setAttribute('aria-hidden', 'true');
    const use = document.createElementNS(SVG, 'use');
    use.setAttribute('href', `#${role}`);
    svg.append(use);
    return svg;
}

export class Board {
    private position?: Chess;
    private last?: Move;
    private selected?: number;
    private focused = 12;
    private flipped = false;
    private readonly squares: HTMLButtonElement[] = [];
    private drag?: { from: number; x: number; y: number; moved: boolean; svg: SVGSVGElement };
    /** A drag that ended on a square is not also a click. */
    private ignoresClick = false;

    constructor(
        private readonly element: HTMLElement,
        private readonly play: (from: number, to: number) => void,
    ) {
        for (let rank = 0; rank < 8; rank++) {
            const row = document.createElement('div');
            row.setAttribute('role', 'row');
            for (let file = 0; file < 8; file++) {
                const button = document.createElement('button');
                button.type = 'button';
                button.setAttribute('role', 'gridcell');
                button.classList.toggle('light', (rank + file) % 2 === 0);
                this.squares.push(button);
                row.append(button);
            }
            element.append(row);
        }
        element.addEventListener('click', (event) => this.clicked(event));
        element.addEventListener('keydown', (event) => this.pressed(event));
        element.addEventListener('pointerdown', (event) => this.taken(event));
        element.addEventListener('pointermove', (event) => this.moved(event));
        element.addEventListener('pointerup', (event) => this.dropped(event));
        element.addEventListener('pointercancel', () => this.release());
    }

    show(position: Chess, last?: Move): void {
        this.position = position;
        this.last = last;
        this.selected = undefined;
        this.draw();
    }

    flip(): void {
        this.flipped = !this.flipped;
        this.draw();
    }

    /** Shows the squares of a move that is pointed at. */
    point(move?: Move): void {
        for (const [i, button] of this.squares.entries()) {
            button.classList.toggle('shown', move !== undefined && squaresOf(move).includes(this.square(i)));
        }
    }

    /** The square of a button, and the other way round. */
    private square(i: number): number {
        return this.flipped ? i ^ 7 : i ^ 56;
    }

    private squareAt(target: EventTarget | Element | null): number | undefined {
        const button = target instanceof Element ? target.closest('button') : null;
        const i = this.squares.indexOf(button as HTMLButtonElement);
        return i < 0 ? undefined : this.square(i);
    }

    private targets(from: number): Set<number> {
        const targets = new Set<number>();
        for (let to = 0; to < 64; to++) {
            const move = normalizeMove(this.position!, { from, to });
            if (this.position!.isLegal({ ...move, promotion: undefined } as Move)) targets.add(to);
            else if (this.position!.isLegal({ ...move, promotion: 'queen' } as Move)) targets.add(to);
        }
        return targets;
    }

    private draw(): void {
        const position = this.position!;
        const targets = this.selected === undefined ? undefined : this.targets(this.selected);
        for (const [i, button] of this.squares.entries()) {
            const square = this.square(i);
            const piece = position.board.get(square);
            const name = makeSquare(square);
            button.dataset.square = name;
            button.setAttribute('aria-label', label(name, piece, targets?.has(square) ?? false));
            button.setAttribute('aria-selected', String(square === this.selected));
            button.tabIndex = square === this.focused ? 0 : -1;
            button.classList.toggle('last', this.last !== undefined && squaresOf(this.last).includes(square));
            button.classList.toggle('target', targets?.has(square) ?? false);
            button.classList.toggle('taken', piece !== undefined);
            button.classList.remove('shown');
            const parts: Element[] = [];
            if (i % 8 === 0) parts.push(coordinate('rank', name[1]!));
            if (i >= 56) parts.push(coordinate('file', name[0]!));
            if (piece) parts.push(picture(piece.color, piece.role));
            button.replaceChildren(...parts);
        }
    }

    /** Selects a piece of the side to move, or plays the selected one. */
    private choose(square: number): void {
        const from = this.selected;
        if (from !== undefined && from !== square && this.targets(from).has(square)) {
            this.play(from, square);
            return;
        }
        const isOwn = this.isOwn(square);
        this.selected = isOwn && from !== square ? square : undefined;
        this.draw();
    }

    private isOwn(square: number): boolean {
        return this.position!.board.get(square)?.color === this.position!.turn;
    }

    private clicked(event: MouseEvent): void {
        const square = this.squareAt(event.target);
        const isIgnored = this.ignoresClick;
        this.ignoresClick = false;
        if (square === undefined || isIgnored) return;
        this.focused = square;
        this.choose(square);
        this.focus();
    }

    private focus(): void {
        this.squares[this.square(this.focused)]!.focus();
    }

    private pressed(event: KeyboardEvent): void {
        const i = this.square(this.focused);
        const [row, file] = [i >> 3, i & 7];
        const places: Record<string, number | undefined> = {
            ArrowUp: row > 0 ? i - 8 : i,
            ArrowDown: row < 7 ? i + 8 : i,
            ArrowLeft: file > 0 ? i - 1 : i,
            ArrowRight: file < 7 ? i + 1 : i,
            Home: row * 8,
            End: row * 8 + 7,
        };
        const next = places[event.key];
        if (event.key === 'Escape') {
            this.selected = undefined;
            this.draw();
        } else if (next === undefined || event.altKey || event.ctrlKey || event.metaKey) {
            return;
        } else {
            this.focused = this.square(next);
            for (const [j, button] of this.squares.entries()) button.tabIndex = j === next ? 0 : -1;
            this.focus();
        }
        event.preventDefault();
        event.stopPropagation();
    }

    private taken(event: PointerEvent): void {
        this.ignoresClick = false;
        const from = this.squareAt(event.target);
        if (event.button !== 0 || from === undefined || !this.isOwn(from)) return;
        const svg = this.squares[this.square(from)]!.querySelector('svg')!;
        this.drag = { from, x: event.clientX, y: event.clientY, moved: false, svg };
    }

    private moved(event: PointerEvent): void {
        if (!this.drag) return;
        const [x, y] = [event.clientX - this.drag.x, event.clientY - this.drag.y];
        if (!this.drag.moved && Math.hypot(x, y) < 5) return;
        if (!this.drag.moved) {
            this.selected = this.drag.from;
            this.draw();
            this.drag.svg = this.squares[this.square(this.drag.from)]!.querySelector('svg')!;
            this.drag.svg.classList.add('held');
            this.element.setPointerCapture(event.pointerId);
            this.drag.moved = true;
        }
        this.drag.svg.style.transform = `translate(${x}px, ${y}px)`;
    }

    private dropped(event: PointerEvent): void {
        const drag = this.release();
        if (!drag?.moved) return;
        this.ignoresClick = true;
        const to = this.squareAt(document.elementFromPoint(event.clientX, event.clientY));
        this.selected = undefined;
        const isPlayed = to !== undefined && this.targets(drag.from).has(to);
        this.draw();
        if (isPlayed) this.play(drag.from, to);
    }

    private release(): typeof this.drag {
        const drag = this.drag;
        if (drag) {
            drag.svg.style.transform = '';
            drag.svg.classList.remove('held');
        }
        this.drag = undefined;
        return drag;
    }
}

function squaresOf(move: Move): number[] {
    return 'from' in move ? [move.from, move.to] : [move.to];
}

function label(name: string, piece: Piece | undefined, isTarget: boolean): string {
    const what = piece ? `${piece.color} ${piece.role}` : 'empty';
    return `${name}, ${what}${isTarget ? ', can be moved to' : ''}`;
}

function coordinate(kind: string, text: string): HTMLSpanElement {
    const span = document.createElement('span');
    span.className = kind;
    // Written by the style, since the name of the square is in its label.
    span.dataset.text = text;
    return span;
}
