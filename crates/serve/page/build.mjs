// Builds the files that the server contains: `npm run build`.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';

const here = new URL('.', import.meta.url);
const read = (name) => readFileSync(new URL(name, here), 'utf8');
const write = (name, text) => writeFileSync(new URL(`built/${name}`, here), text);

mkdirSync(new URL('built', here), { recursive: true });
const pieces = read('../../diagram/src/pieces.svg').split('\n').filter((line) => line.startsWith('<g id="'));
write('index.html', read('src/index.html').replace('<!-- pieces -->', () => pieces.join('\n')));
const knight = pieces.find((line) => line.startsWith('<g id="knight"'));
write(
    'icon.svg',
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" fill="#fff" stroke="#1a1a1a" color="#1a1a1a">${knight}</svg>\n`,
);
write('page.css', read('src/page.css'));
const bundled = await build({
    absWorkingDir: here.pathname,
    entryPoints: ['src/page.ts'],
    bundle: true,
    format: 'esm',
    target: 'es2022',
    minify: true,
    charset: 'utf8',
    legalComments: 'none',
    metafile: true,
    banner: { js: '// Built by `npm run build` from crates/serve/page/src; the licences are in page.licences.txt.' },
    outfile: 'built/page.js',
});
// The licences of the libraries that are in it.
const packages = new Set();
for (const input of Object.keys(bundled.metafile.inputs)) {
    const found = /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input);
    if (found) packages.add(found[1]);
}
const licences = [...packages].sort().map((name) => {
    const { version, license } = JSON.parse(read(`node_modules/${name}/package.json`));
    const names = ['LICENSE', 'LICENSE.txt', 'LICENSE.md', 'license'];
    const texts = names.flatMap((file) => {
        try {
            return [read(`node_modules/${name}/${file}`).trim()];
        } catch {
            return [];
        }
    });
    // The text of the GPL is that of pgn2epd itself.
    const text = license.startsWith('GPL') ? 'The text of the licence is in COPYING.' : texts[0] ?? '';
    return `${name} ${version}, ${license}\n\n${text}\n`;
});
write('page.licences.txt', `Libraries in page.js:\n\n${licences.join('\n')}`);
