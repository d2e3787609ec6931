/**
 * What an answer costs in a workspace of some size: CPU of every request that an editor makes while a skill is read and
 * typed, at random places of random skills. The first request of a file also reads its body, as after opening it.
 *
 *     npx esbuild bench/requests.ts --bundle --platform=node --format=esm --packages=external --loader:.njk=text --outfile=out/bench-requests.mjs
 *     node out/bench-requests.mjs FOLDER_OF_10000_SKILLS [SKILLS_TO_VISIT]
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CODE_LENSES, codeLenses, resolveCodeLens } from '../server/src/features/code-lens.ts';
import { completion } from '../server/src/features/completion/index.ts';
import { findPath } from '../server/src/features/completion/paths.ts';
import { hover } from '../server/src/features/hover/hover.ts';
import { INLAY_HINTS, inlayHints } from '../server/src/features/inlay-hints.ts';
import { utf16 } from '../server/src/features/locate.ts';
import { definition } from '../server/src/features/navigation/definition.ts';
import { documentLinks } from '../server/src/features/navigation/document-links.ts';
import { documentSymbols } from '../server/src/features/navigation/document-symbols.ts';
import { foldingRanges } from '../server/src/features/navigation/folding.ts';
import { highlights } from '../server/src/features/navigation/highlights.ts';
import { references } from '../server/src/features/navigation/references.ts';
import { selectionRange } from '../server/src/features/navigation/selection-ranges.ts';
import { workspaceSymbols } from '../server/src/features/navigation/workspace-symbols.ts';
import { prepareRename } from '../server/src/features/rename/rename.ts';
import { semanticTokens } from '../server/src/features/semantic-tokens/semantic-tokens.ts';
import { signatureHelp } from '../server/src/features/signature-help.ts';
import type { SkillDocument } from '../server/src/skill/document.ts';
import { Workspace } from '../server/src/workspace/workspace.ts';
import type { WorkspaceIndex } from '../server/src/workspace/workspace-index.ts';

const PLACES = 6;

type Ask = (index: WorkspaceIndex, document: SkillDocument, offset: number) => unknown;

const commands = { preview: 'preview', showReferences: 'references' };
const whole = (document: SkillDocument) => ({
  start: { line: 0, character: 0 },
  end: { line: document.lines.length, character: 0 },
});

/** References have no limit of their own: they cost what they touch. */
const REQUESTS: Readonly<Record<string, Ask>> = {
  completion: (index, document, offset) => findPath(document, offset) ?? completion(index, document, offset, utf16),
  hover: (index, document, offset) => hover(index, document, offset, utf16),
  definition: (index, document, offset) => definition(index, document, offset, utf16, true),
  documentHighlight: (index, document, offset) => highlights(index, document, offset, utf16),
  prepareRename: (index, document, offset) => prepareRename(index, document, offset, utf16),
  signatureHelp: (_, document, offset) => signatureHelp(document, offset, { offsets: true, noneActive: true }),
  selectionRange: (_, document, offset) => selectionRange(document, offset, utf16),
  documentSymbol: (_, document) => documentSymbols(document, utf16),
  semanticTokens: (index, document) => semanticTokens(index, document, utf16),
  foldingRange: (_, document) => foldingRanges(document),
  documentLink: (index, document) => documentLinks(index, document, utf16),
  codeLens: (index, document) =>
    codeLenses(index, document, commands, CODE_LENSES, utf16).map((lens) =>
      resolveCodeLens(index, lens, commands, utf16),
    ),
  inlayHint: (index, document) => inlayHints(index, document, whole(document), INLAY_HINTS, utf16),
  workspaceSymbol: (index, document, offset) =>
    workspaceSymbols(index, document.text.slice(offset, offset + 3).trim(), utf16),
  references: (index, document, offset) => references(index, document, offset, utf16, true),
};

/** A fixed course of numbers, so that two runs visit the same places. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function open(folder: string): Workspace {
  const workspace = new Workspace();
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => /\.(md|ya?ml)$/.test(path));
  for (const path of paths.sort()) {
    workspace.apply({ kind: 'text', uri: `file:///bench/${path}`, text: readFileSync(join(folder, path), 'utf8') });
  }
  return workspace;
}

/** Milliseconds of CPU. */
function costOf(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const [folder = '.', visits = '300'] = process.argv.slice(2);
const workspace = open(folder);
const below = numbers(7);
const uris = [...workspace.index().documents.keys()];
const costs = new Map(Object.keys(REQUESTS).map((name) => [name, [] as number[]]));
for (let visit = 0; visit < Number(visits); visit++) {
  const uri = uris[below(uris.length)] as string;
  const text = workspace.index().documents.get(uri)?.text ?? '';
  workspace.apply({ kind: 'text', uri, text: `${text}\n` });
  const index = workspace.index();
  const document = index.documents.get(uri) as SkillDocument;
  for (let place = 0; place < PLACES; place++) {
    const offset = below(document.text.length);
    for (const [name, ask] of Object.entries(REQUESTS)) {
      costs.get(name)?.push(costOf(() => ask(index, document, offset)));
    }
  }
}

const cell = (value: number): string => value.toFixed(2).padStart(9);
console.log(`${uris.length} files, ${visits} of them visited at ${PLACES} places each; ms CPU`);
console.log(`${''.padEnd(18)}${['median', 'p95', 'p99', 'worst'].map((word) => word.padStart(9)).join('')}`);
for (const [name, all] of costs) {
  const sorted = all.sort((a, b) => a - b);
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
  console.log(`${name.padEnd(18)}${[at(0.5), at(0.95), at(0.99), at(1)].map(cell).join('')}`);
}
