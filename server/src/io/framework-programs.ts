/**
 * Reads which frameworks the programs of a workspace depend on, and the folders of skills that their sources name
 * (docs/clients.md, "Frameworks"). Runs nothing, and follows no links.
 */
import { dependenciesIn } from '../features/clients/dependencies.ts';
import {
  CALLED_PACKAGES,
  type FrameworkPrograms,
  frameworkCalls,
  type ProgramFolder,
} from '../features/clients/framework-calls.ts';
import { lineAt, lineStartsOf } from '../text.ts';
import { decoded, folderOf } from '../vocabulary/dialect.ts';
import { type Files, folderUri, type LinkScope } from './files.ts';
import { inBatches } from './read-folder.ts';

/** The most `package.json` files that are read, the outer ones first, and the most source files of all programs. */
const MOST_PACKAGES = 200;
const MOST_SOURCES = 2_000;
/** The longest source file, in UTF-16 code units. Generated files may be longer. */
const LONGEST_SOURCE = 300_000;

const SOURCE = /\.[cm]?[jt]sx?$/;
/** Declarations, tests, and the output of builds, whose folders differ. */
const NO_SOURCE = /\.d\.[cm]?ts$|[./](?:test|spec)\.[^/]*$|\/(?:__tests__|tests?|dist|build|out|coverage|\.[^/]*)\//;

const NO_LINKS: LinkScope = { folders: [], isReadDirectly: () => false };

/**
 * Returns the packages and the named folders of the programs below a folder.
 *
 * @param root the URI of a workspace folder
 */
export async function frameworkPrograms(files: Files, root: string): Promise<FrameworkPrograms> {
  const isBelow = (uri: string) => uri.startsWith(`${folderUri(root)}/`);
  const found = await files.find([root], ['**/package.json']);
  const manifests = found.filter((uri) => isBelow(uri) && uri.endsWith('/package.json')).sort(byDepth);
  const packages = new Set<string>();
  const programs = new Map<string, ReadonlySet<string>>();
  for await (const { uri, text } of textsOf(files, manifests.slice(0, MOST_PACKAGES))) {
    const names = dependenciesIn(text);
    for (const name of names) packages.add(name);
    programs.set(folderOf(uri), new Set(names.filter((name) => CALLED_PACKAGES.has(name))));
  }
  const using = [...programs].filter(([, names]) => names.size > 0).map(([folder]) => folder);
  if (using.length === 0) return { packages, folders: [] };
  const all = await files.find(outermost(using), ['**/*.{js,jsx,mjs,cjs,ts,tsx,mts,cts}']);
  const sources = all.filter((uri) => isBelow(uri) && SOURCE.test(uri) && !NO_SOURCE.test(uri.slice(root.length)));
  const within = (uri: string): string => decoded(uri.slice(folderUri(root).length + 1));
  const folders = new Map<string, ProgramFolder>();
  for await (const { uri, text } of textsOf(files, sources.sort(byDepth).slice(0, MOST_SOURCES))) {
    const of = programOf(uri, programs);
    if (of === undefined || text.length > LONGEST_SOURCE) continue;
    const program = within(of);
    const path = decoded(uri.slice(of.length + 1));
    const lines = lineStartsOf(text);
    for (const { framework, folder, start } of frameworkCalls(text, path, programs.get(of) ?? new Set())) {
      const key = `${framework}:${folder}`;
      const line = lineAt(lines, start) + 1;
      if (!folders.has(key)) folders.set(key, { framework, program, folder, file: within(uri), line });
    }
  }
  return { packages, folders: [...folders.values()] };
}

/** Returns the innermost folder with a `package.json` above a file. */
function programOf(uri: string, programs: ReadonlyMap<string, unknown>): string | undefined {
  let folder = folderOf(uri);
  while (folder.includes('/') && !programs.has(folder)) folder = folderOf(folder);
  return programs.has(folder) ? folder : undefined;
}

const depthOf = (uri: string): number => uri.split('/').length;

const byDepth = (a: string, b: string): number => depthOf(a) - depthOf(b) || (a < b ? -1 : 1);

const outermost = (folders: readonly string[]): readonly string[] =>
  folders.filter((folder) => !folders.some((other) => folder.startsWith(`${other}/`)));

async function* textsOf(files: Files, uris: readonly string[]): AsyncIterable<{ uri: string; text: string }> {
  const read = async (uri: string) => ({ uri, content: await files.read(uri, NO_LINKS) });
  for await (const { uri, content } of inBatches(uris, read)) {
    if (content.kind === 'text') yield { uri, text: content.text };
  }
}
