// The page in a real browser with real clicks, without network: `node test/page.mjs PROGRAM GAMES [FOLDER]`. Screenshots go to FOLDER.

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

const [program, games, folder] = process.argv.slice(2);
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const args = [
    '--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
    '--disable-component-update', '--disable-sync',
];

/** Starts the server; returns it and its address. */
async function served() {
    const server = spawn(program, ['book', 'serve', games, `again=${games}`, `classes=${join(files, 'classes.explorer')}`, '--listen', '127.0.0.1:0'], { stdio: ['ignore', 'ignore', 'pipe'] });
    const address = await new Promise((resolve, reject) => {
        let text = '';
        server.stderr.on('data', (data) => {
            text += data;
            const found = /http:\/\/\S+/.exec(text);
            if (found) resolve(found[0]);
        });
        server.on('exit', () => reject(new Error(text)));
    });
    return { server, address };
}

/** A host of files that knows ranges; `reads` has the length of each. */
async function hosted(folder, reads) {
    const kinds = { html: 'text/html', js: 'text/javascript', css: 'text/css', svg: 'image/svg+xml' };
    const host = createServer((request, response) => {
        const name = new URL(request.url, 'http://host').pathname.slice(1) || 'index.html';
        if (!readdirSync(folder).includes(name)) return response.writeHead(404).end();
        const bytes = readFileSync(join(folder, name));
        const headers = { 'Content-Type': kinds[name.split('.').pop()] ?? 'application/octet-stream' };
        const found = /^bytes=(\d*)-(\d*)$/.exec(request.headers.range ?? '');
        if (!found) return response.writeHead(200, headers).end(bytes);
        const from = found[1] === '' ? Math.max(0, bytes.length - Number(found[2])) : Number(found[1]);
        const to = found[1] === '' ? bytes.length : Math.min(bytes.length, Number(found[2]) + 1);
        reads.push(to - from);
        headers['Content-Range'] = `bytes ${from}-${to - 1}/${bytes.length}`;
        response.writeHead(206, headers).end(bytes.subarray(from, to));
    });
    await new Promise((resolve) => host.listen(0, '127.0.0.1', resolve));
    return { host, site: `http://127.0.0.1:${host.address().port}/` };
}

const profile = mkdtempSync(join(tmpdir(), 'page-'));
const files = mkdtempSync(join(tmpdir(), 'site-'));
execFileSync(program, ['book', games, '-o', join(files, 'some.explorer')]);
execFileSync(program, ['book', games, '--group-by', 'rating:2000,2500,speed,year,player', '-o', join(files, 'classes.explorer')]);
const { server, address } = await served();
for (const name of readdirSync(new URL('../built', import.meta.url))) {
    copyFileSync(new URL(`../built/${name}`, import.meta.url), join(files, name));
}
const reads = [];
const { host, site } = await hosted(files, reads);
let context;
let failed = 0;

/** Opens the page at an address, and runs a test with it. */
async function test(name, hash, run, options = {}) {
    const page = await context.newPage();
    const problems = [];
    page.on('console', (message) => {
        const isExpected = options.mayFail?.test(message.text());
        if (['error', 'warning'].includes(message.type()) && !isExpected) problems.push(message.text());
    });
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('request', (request) => {
        if (!request.url().startsWith(options.site ?? address)) problems.push(`a request for ${request.url()}`);
    });
    try {
        await page.emulateMedia({ colorScheme: options.dark ? 'dark' : 'light' });
        await page.setViewportSize(options.phone ? { width: 375, height: 800 } : { width: 1200, height: 900 });
        await page.goto((options.site ?? address) + hash);
        await page.locator('#status').filter({ hasText: /\S/ }).waitFor();
        await run(page);
        assert.deepEqual(problems, []);
        console.log(`ok      ${name}`);
    } catch (error) {
        failed += 1;
        console.log(`FAILED  ${name}: ${error.message}`);
    } finally {
        await page.close();
    }
}

const square = (page, name) => page.locator(`#board [data-square=${name}]`);
const status = (page, text) => page.locator('#status').filter({ hasText: text }).waitFor();
const answer = async (query) => (await fetch(`${address}${query}`)).json();

/** The table of moves as text. */
async function moves(page) {
    return await page.locator('#moves tbody tr').evaluateAll((rows) =>
        rows.map((row) => [row.cells[0].textContent, Number(row.cells[1].textContent.replaceAll(',', ''))]),
    );
}

async function same(page, play) {
    const { moves: expected } = await answer(`masters?undecided=true&play=${play}`);
    assert.deepEqual(await moves(page), expected.map(({ san, games }) => [san, games]));
}

async function accessible(page) {
    await page.evaluate(axe);
    const { violations } = await page.evaluate(() => axe.run());
    const serious = violations.filter(({ impact }) => ['serious', 'critical'].includes(impact));
    assert.deepEqual(serious.map(({ id, nodes }) => [id, nodes.map((node) => node.html + node.failureSummary)]), []);
}

async function noScrolling(page) {
    const [width, room] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    assert.ok(width <= room, `${width} > ${room}`);
}

try {
    context = await chromium.launchPersistentContext(profile, { executablePath: '/usr/bin/chromium', args });

    await test('the table of the start has what the server answers', '', async (page) => same(page, ''));

    await test('a click on a piece and one on a square play a move', '', async (page) => {
        await square(page, 'e2').click();
        assert.equal(await square(page, 'e2').getAttribute('aria-selected'), 'true');
        assert.equal(await page.locator('#board .target').count(), 2);
        await square(page, 'e4').click();
        await status(page, 'After 1. e4: ');
        assert.match(page.url(), /#of=\w+&play=e2e4$/);
        await same(page, 'e2e4');
        assert.match(await square(page, 'e4').getAttribute('aria-label'), /^e4, white pawn/);
    });

    await test('a piece can be dragged', '', async (page) => {
        await square(page, 'g1').dragTo(square(page, 'f3'));
        await status(page, 'After 1. Nf3: ');
        await square(page, 'd7').dragTo(square(page, 'd3'));
        await status(page, 'After 1. Nf3: ');
        await square(page, 'd7').dragTo(square(page, 'd5'));
        await status(page, 'After d5: ');
        await same(page, 'g1f3,d7d5');
    });

    await test('the keys move the focus and play', '', async (page) => {
        await square(page, 'e2').focus();
        await page.keyboard.press('Enter');
        await page.keyboard.press('ArrowUp');
        await page.keyboard.press('ArrowUp');
        await page.keyboard.press('Space');
        await status(page, 'After 1. e4: ');
        await page.locator('h1').click();
        await page.keyboard.press('ArrowLeft');
        await same(page, '');
        await page.keyboard.press('ArrowRight');
        await status(page, 'After 1. e4: ');
    });

    await test('a row of the table plays its move, and Back goes back', '', async (page) => {
        const [[first]] = await moves(page);
        await page.locator('#moves tbody button').first().click();
        await status(page, `After 1. ${first}: `);
        await page.goBack();
        await status(page, /^[\d,]+ games/);
        await same(page, '');
        await page.locator('#moves tbody tr').nth(1).hover();
        assert.equal(await page.locator('#board .shown').count(), 2);
    });

    await test('moves and FENs can be searched', '', async (page) => {
        const search = async (text) => {
            await page.locator('#query').fill(text);
            await page.keyboard.press('Enter');
        };
        await search('1. e4 e5 2. Nf3 Nc6');
        await status(page, 'After Nc6: ');
        await same(page, 'e4,e5,Nf3,Nc6');
        assert.match(await page.locator('#fen').textContent(), /^r1bqkbnr\/pppp1ppp\//);
        await search('e4 e5 Ke3');
        assert.equal(await page.locator('#error').textContent(), 'Ke3 is not a legal move after 1. e4 e5.');
        await search('8/8/8/8 w');
        assert.equal(await page.locator('#error').textContent(), 'This is not a FEN.');
        await search('rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2');
        await status(page, /^\d+ games/);
        await same(page, 'e4,e5');
        assert.equal(await page.locator('#error').textContent(), '');
    });

    await test('a link leads to its position; a wrong one has a message', '#play=e2e4,e7e5,e1e2', async (page) => {
        await status(page, 'After 2. Ke2: ');
        await page.goto(`${address}#play=e2e5`);
        await page.locator('#error').filter({ hasText: 'e2e5 is not a legal move' }).waitFor();
    });

    await test('a pawn promotes to the chosen piece', '#fen=8/P6k/8/8/8/8/8/K7+w+-+-+0+1', async (page) => {
        await square(page, 'a7').click();
        await square(page, 'a8').click();
        await page.getByRole('button', { name: 'knight', exact: true }).click();
        await status(page, 'After 1. a8=N: No game reached this position.');
        assert.match(page.url(), /play=a7a8n$/);
    });

    await test('castling by two squares', '#play=e4,e5,Nf3,Nc6,Bc4,Bc5', async (page) => {
        await square(page, 'e1').click();
        await square(page, 'g1').click();
        await status(page, 'After 4. O-O: ');
        assert.match(await square(page, 'f1').getAttribute('aria-label'), /white rook/);
    });

    await test('the board can be flipped', '', async (page) => {
        const first = () => page.locator('#board button').first().getAttribute('data-square');
        assert.equal(await first(), 'a8');
        await page.locator('#flip').click();
        assert.equal(await first(), 'h1');
        await square(page, 'd2').dragTo(square(page, 'd4'));
        await status(page, 'After 1. d4: ');
    });

    await test('a game is linked to its text', '#play=e2e4', async (page) => {
        const text = await (await fetch(new URL(await page.locator('#games a').first().getAttribute('href'), address))).text();
        assert.match(text, /^\[Event "/);
    });

    await test('other games can be chosen', '#play=e2e4', async (page) => {
        await page.locator('#file').selectOption('again');
        await page.waitForURL(/of=again&play=e2e4$/);
        await same(page, 'e2e4');
    });

    await test('the theme is switched and kept', '', async (page) => {
        const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
        const light = await paper();
        await page.locator('#theme').click();
        assert.notEqual(await paper(), light);
        await page.reload();
        assert.notEqual(await paper(), light);
        await page.evaluate(() => localStorage.clear());
    });

    await test('a file on a host that knows ranges has the same counts', '?file=some.explorer', async (page) => {
        await same(page, '');
        const ways = [];
        for (let step = 0; step < 20; step++) {
            const rows = await moves(page);
            if (rows.length === 0) break;
            const [san] = rows[step % rows.length];
            const before = reads.length;
            await page.locator('#moves tbody button').nth(step % rows.length).click();
            await page.waitForFunction((san) => document.querySelector('#status').textContent.includes(`${san}: `), san);
            assert.ok(reads.length <= before + 2, 'a look-up has at most two reads');
            ways.push(new URLSearchParams(new URL(page.url()).hash.slice(1)).get('play'));
            await same(page, ways.at(-1));
        }
        assert.ok(ways.length > 10, `${ways.length} positions`);
        assert.ok(Math.max(...reads) <= 65536);
        const { opening, topGames } = await answer(`masters?play=${ways[2]}`);
        await page.goto(`${site}?file=some.explorer#play=${ways[2]}`);
        await status(page, 'After ');
        assert.equal(await page.locator('#opening').textContent(), `${opening.eco} ${opening.name}`);
        assert.equal(await page.locator('#games tbody tr').count(), topGames.length);
    }, { site });

    /** Selects games by their year; those of the first game of the table remain. */
    const selectYear = async (page) => {
        await status(page, /^[\d,]+ games/);
        const all = await page.locator('#status').textContent();
        const year = await page.locator('#games tbody tr').first().locator('td').last().textContent();
        await page.locator('#filter summary').click();
        await page.locator('#filter [name=since]').fill(year);
        await page.locator('#filter [name=until]').fill(year);
        await page.keyboard.press('Enter');
        await page.keyboard.press('Tab');
        await page.waitForURL(new RegExp(`since=${year}&until=${year}`));
        await page.locator('#filter summary').filter({ hasText: 'Selected games' }).waitFor();
        await page.waitForFunction((all) => document.querySelector('#status').textContent !== all, all);
        const { games, moves: expected } = await answer(`classes?undecided=true&since=${year}&until=${year}`);
        assert.ok(games > 0 && !all.startsWith(`${games} `), `${games} of ${all}`);
        assert.deepEqual(await moves(page), expected.map(({ san, games }) => [san, games]));
        await page.locator('#moves tbody button').first().click();
        await status(page, 'After ');
        assert.match(page.url(), new RegExp(`since=${year}`));
        assert.equal(await page.locator('#filter [type=checkbox]').count(), 3 + 6);
        await accessible(page);
        await noScrolling(page);
        await page.locator('#filter [name=since]').fill('x');
        await page.locator('#filter [name=until]').focus();
        assert.match(page.url(), new RegExp(`since=${year}`));
    };

    /** Selects the games of the player with the white pieces in the first game of the table. */
    const selectPlayer = async (page) => {
        await status(page, /^[\d,]+ games/);
        const name = (await answer('classes')).topGames[0].white.name;
        await page.locator('#filter summary').click();
        for (const [color, query] of [['', ''], ['black', '&color=black'], ['white', '&color=white']]) {
            const all = await page.locator('#status').textContent();
            await page.locator('#filter [name=player]').fill(name.toUpperCase());
            await page.locator(`#filter [name=color][value="${color}"]`).check();
            await page.locator('#filter summary').focus();
            const { games, moves: expected } = await answer(`classes?undecided=true&player=${encodeURIComponent(name)}${query}`);
            if (!all.startsWith(`${games} `)) await page.waitForFunction((all) => document.querySelector('#status').textContent !== all, all);
            assert.deepEqual(await moves(page), expected.map(({ san, games }) => [san, games]));
            assert.equal(games > 0, color !== 'black' || expected.length > 0);
        }
        assert.match(page.url(), /player=.*&color=white/);
        await accessible(page);
    };

    await test('the games of a player are selected', '#of=classes', selectPlayer);
    await test('the games of a player are selected in a file on a host', '?file=classes.explorer', selectPlayer, { site });

    await test('games are selected by their classes', '#of=classes', selectYear);
    await test('games are selected by their classes in a file on a host', '?file=classes.explorer', selectYear, { site, phone: true });

    await test('a file without classes has nothing to select', '', async (page) => {
        assert.equal(await page.locator('#filter').isVisible(), false);
    });

    await test('a file that is not there has a message', '?file=other.explorer', async (page) => {
        await status(page, 'other.explorer: 404 Not Found');
    }, { site, mayFail: /404/ });

    await test('what is not an explorer file has a message', '?file=page.css', async (page) => {
        await status(page, 'page.css is not an explorer file.');
    }, { site });

    for (const [name, options] of [['light', {}], ['dark', { dark: true }], ['phone', { phone: true }], ['phone-dark', { phone: true, dark: true }]]) {
        await test(`screen readers and width: ${name}`, '#play=e2e4', async (page) => {
            await status(page, 'After 1. e4: ');
            await accessible(page);
            await noScrolling(page);
            if (folder) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
            await square(page, 'e7').click();
            await accessible(page);
        }, options);
    }
} finally {
    await context?.close();
    server.kill('SIGTERM');
    host.close();
    for (const folder of [profile, files]) rmSync(folder, { recursive: true, force: true });
}
const status_ = await new Promise((resolve) => server.on('exit', (code) => resolve(code)));
if (status_ !== 0) console.log(`FAILED  the server ended with status ${status_}`);
process.exit(failed > 0 || status_ !== 0 ? 1 : 0);
