// Which games are counted, in a file with classes of games.

/** What the games of a class have in common, as files have it. */
export interface GameClass {
    rating?: number;
    speed?: string;
    year?: number;
    month?: string;
    white?: string;
    black?: string;
}

/** The names of parameters, which are those of the server. */
const LISTS = ['ratings', 'speeds'];
const DATES = ['since', 'until'];
const COLORS = ['white', 'black'] as const;
export const SPEEDS = ['ultraBullet', 'bullet', 'blitz', 'rapid', 'classical', 'correspondence'];

/** Returns the parameters among others, in one order. */
export function filterOf(parameters: URLSearchParams): URLSearchParams {
    const filter = new URLSearchParams();
    for (const name of [...LISTS, ...DATES, 'player', 'color']) {
        const value = parameters.get(name);
        if (value) filter.set(name, value);
    }
    if (!filter.has('player')) filter.delete('color');
    return filter;
}

/** Whether the games of a class are asked for. What is not known of them is not. */
export function wants(filter: URLSearchParams, { rating, speed, year, month, white, black }: GameClass): boolean {
    const isAmong = (name: string, value: number | string | undefined) => {
        const list = filter.get(name);
        return !list || (value !== undefined && list.split(',').includes(String(value)));
    };
    const date = month ?? (year === undefined ? undefined : String(year).padStart(4, '0'));
    const isDated = (name: string, isIn: (date: string, bound: string) => boolean) => {
        const bound = filter.get(name);
        return !bound || (date !== undefined && isIn(date.slice(0, bound.length), bound));
    };
    // As the server, which ignores the case of ASCII letters.
    const lower = (name: string) => name.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
    const [player, color] = [filter.get('player'), filter.get('color')];
    const names = { white, black };
    const isOf = (side: keyof typeof names) => {
        const name = names[side];
        return (!color || color === side) && name !== undefined && lower(name) === lower(player!);
    };
    return (
        (!player || COLORS.some(isOf)) &&
        isAmong('ratings', rating) &&
        isAmong('speeds', speed) &&
        isDated('since', (date, bound) => date >= bound) &&
        isDated('until', (date, bound) => date <= bound)
    );
}

/** The boxes and fields with which games are selected. */
export class FilterForm {
    private readonly summary = document.createElement('summary');
    private groupedBy = '';

    constructor(
        private readonly details: HTMLDetailsElement,
        changed: (filter: URLSearchParams) => void,
    ) {
        details.addEventListener('change', () => {
            const fields = [...details.querySelectorAll('input')];
            if (fields.every((field) => field.reportValidity())) changed(this.filter());
        });
    }

    /** Shows the fields for the classes of a file, with the values of a filter. */
    show(groupedBy: string, filter: URLSearchParams): void {
        // Fields that are in use stay.
        if (groupedBy !== this.groupedBy) this.build(groupedBy);
        this.groupedBy = groupedBy;
        for (const field of this.details.querySelectorAll('input')) {
            const value = filter.get(field.name) ?? '';
            if (field.type === 'radio') field.checked = field.value === value;
            else if (field.type === 'checkbox') field.checked = value.split(',').includes(field.value);
            else if (field !== document.activeElement) field.value = value;
        }
        this.summary.textContent = filter.size === 0 ? 'All games' : 'Selected games';
    }

    private build(groupedBy: string): void {
        const words = groupedBy.split(',');
        const bands = words.map((word) => Number(word.replace('rating:', ''))).filter((band) => band > 0);
        const sets: HTMLElement[] = [];
        if (bands.length > 0) {
            const name = (band: number, i: number) => (i + 1 < bands.length ? `${band}–${bands[i + 1]! - 1}` : `${band}+`);
            const labels = bands.map((band, i): [number, string] => [band, name(band, i)]);
            sets.push(boxes('Mean rating', 'ratings', [[0, `below ${bands[0]}`], ...labels]));
        }
        if (words.includes('speed')) sets.push(boxes('Speed', 'speeds', SPEEDS.map((speed) => [speed, speed])));
        const hasMonth = words.includes('month');
        if (hasMonth || words.includes('year')) sets.push(dates(hasMonth));
        if (words.includes('player')) sets.push(player());
        this.details.hidden = sets.length === 0;
        this.details.replaceChildren(this.summary, ...sets);
    }

    private filter(): URLSearchParams {
        const parameters = new URLSearchParams();
        for (const name of LISTS) {
            const checked = [...this.details.querySelectorAll<HTMLInputElement>(`[name=${name}]:checked`)];
            if (checked.length > 0) parameters.set(name, checked.map((box) => box.value).join(','));
        }
        for (const name of DATES) {
            const field = this.details.querySelector<HTMLInputElement>(`[name=${name}]`);
            if (field?.value) parameters.set(name, field.value);
        }
        const player = this.details.querySelector<HTMLInputElement>('[name=player]')?.value.trim();
        const color = this.details.querySelector<HTMLInputElement>('[name=color]:checked')?.value;
        if (player) parameters.set('player', player);
        if (player && color) parameters.set('color', color);
        return parameters;
    }
}

function boxes(title: string, name: string, values: [number | string, string][]): HTMLElement {
    return set(title, values.map(([value, text]) => {
        const box = field('checkbox', name);
        box.value = String(value);
        return labelled(text, box, true);
    }));
}

function dates(hasMonth: boolean): HTMLElement {
    return set('Date', DATES.map((name) => {
        const text = field('text', name);
        text.pattern = hasMonth ? '\\d{4}(-(0[1-9]|1[0-2]))?' : '\\d{4}';
        text.placeholder = text.title = hasMonth ? '2020-05' : '2020';
        text.size = 8;
        return labelled(name, text, false);
    }));
}

function player(): HTMLElement {
    const sides = ['', ...COLORS].map((color) => {
        const side = field('radio', 'color');
        side.value = color;
        return labelled(color || 'either colour', side, true);
    });
    return set('Player', [labelled('name', field('text', 'player'), false), ...sides]);
}

function set(title: string, labels: HTMLElement[]): HTMLElement {
    const set = document.createElement('fieldset');
    const legend = document.createElement('legend');
    legend.textContent = title;
    set.append(legend, ...labels);
    return set;
}

function field(type: string, name: string): HTMLInputElement {
    const input = document.createElement('input');
    [input.type, input.name] = [type, name];
    return input;
}

function labelled(text: string, input: HTMLInputElement, isBefore: boolean): HTMLLabelElement {
    const label = document.createElement('label');
    label.append(...(isBefore ? [input, ` ${text}`] : [`${text} `, input]));
    return label;
}
