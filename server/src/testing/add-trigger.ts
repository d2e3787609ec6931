/**
 * Adds to the `evals/` of a `SKILL.md` a request that must, or must not, select the skill (docs/testing.md, "Evals of a
 * SKILL.md").
 */
import { findEntry, findValue, type YamlList, type YamlNode } from '../languages/yaml/node.ts';
import { parseYaml } from '../languages/yaml/parse.ts';
import { readEvals } from './evals.ts';

export interface EvalsFile {
  /** The name of the file in `evals/`. */
  readonly name: string;
  readonly text: string;
}

/** The file with the new text, or `there` if a file already contains the request. */
export type AddedTrigger = EvalsFile | 'there' | { readonly problem: string };

/** The file that is created if no file has requests. */
const OWN_FILE = 'triggers.json';

/** The keys under which a request may be written. A new request uses the key of the last request in the list. */
const REQUEST_KEYS = ['query', 'prompt', 'input'];

/** Returns the edited file. `files` are the `.json` files of `evals/`. */
export function addTrigger(files: readonly EvalsFile[], request: string, shouldTrigger: boolean): AddedTrigger {
  const read = [...files]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map((file) => ({ ...file, triggers: readEvals(file.text, false).triggers }));
  for (const { name, triggers } of read) {
    const known = triggers.find((one) => one.request.trim() === request);
    if (known?.shouldTrigger === shouldTrigger) return 'there';
    if (known) return { problem: `\`evals/${name}\` has this request with the opposite value. Remove it there first.` };
  }
  const [chosen] = [...read.filter(({ triggers }) => triggers.length > 0), ...read.filter(isOwn)];
  if (!chosen) return { name: OWN_FILE, text: `[\n  ${written('query', request, shouldTrigger)}\n]\n` };
  const text = appended(chosen.text, request, shouldTrigger);
  const isKept =
    text !== undefined && readEvals(text, false).triggers.length === chosen.triggers.length + 1 && isJson(text);
  if (isKept) return { name: chosen.name, text };
  return { problem: `The request cannot be added to \`evals/${chosen.name}\` automatically. Add it by hand.` };
}

const isOwn = ({ name }: EvalsFile): boolean => name === OWN_FILE;

const written = (key: string, request: string, shouldTrigger: boolean): string =>
  `{${JSON.stringify(key)}: ${JSON.stringify(request)}, "should_trigger": ${shouldTrigger}}`;

/** Returns the text with another item at the end of its list. */
function appended(text: string, request: string, shouldTrigger: boolean): string | undefined {
  const { root } = parseYaml(text, { start: 0, end: text.length });
  const list = listIn(root);
  if (!list) return undefined;
  const last = list.items.at(-1);
  if (!last) {
    const open = text.indexOf('[', list.span.start) + 1;
    return `${text.slice(0, open)}\n  ${written('query', request, shouldTrigger)}\n${text.slice(list.span.end - 1)}`;
  }
  const key = REQUEST_KEYS.find((one) => findEntry(last, one)) ?? 'query';
  const lineStart = text.lastIndexOf('\n', last.span.start - 1) + 1;
  const before = text.slice(lineStart, last.span.start);
  const gap = before.trim() === '' ? `\n${before}` : ' ';
  return `${text.slice(0, last.span.end)},${gap}${written(key, request, shouldTrigger)}${text.slice(last.span.end)}`;
}

function listIn(root: YamlNode | undefined): YamlList | undefined {
  const list = root?.kind === 'list' ? root : findValue(root, 'evals');
  return list?.kind === 'list' ? list : undefined;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text.replace(/^\uFEFF/, ''));
    return true;
  } catch {
    return false;
  }
}
