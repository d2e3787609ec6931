/** Writes a request that is to lead to a `SKILL.md`, or not, into its `evals/` (docs/testing.md, "Evals of a SKILL.md"). */
import { findEntry, findValue, type YamlList, type YamlNode } from '../languages/yaml/node.ts';
import { parseYaml } from '../languages/yaml/parse.ts';
import { readEvals } from './evals.ts';

export interface EvalsFile {
  /** Within `evals/`. */
  readonly name: string;
  readonly text: string;
}

/** The file with its new text; `there` where it is written already. */
export type KeptTrigger = EvalsFile | 'there' | { readonly problem: string };

/** The file that is made where none has such requests. */
const OWN_FILE = 'triggers.json';

/** The keys by which requests go; that of the last one is kept. */
const REQUEST_KEYS = ['query', 'prompt', 'input'];

/** `files` are those of `evals/` that end with `.json`. */
export function keepTrigger(files: readonly EvalsFile[], request: string, shouldTrigger: boolean): KeptTrigger {
  const read = [...files]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map((file) => ({ ...file, triggers: readEvals(file.text, false).triggers }));
  for (const { name, triggers } of read) {
    const known = triggers.find((one) => one.request.trim() === request);
    if (known?.shouldTrigger === shouldTrigger) return 'there';
    if (known) return { problem: `\`evals/${name}\` says the opposite of this request: take it out there first.` };
  }
  const [chosen] = [...read.filter(({ triggers }) => triggers.length > 0), ...read.filter(isOwn)];
  if (!chosen) return { name: OWN_FILE, text: `[\n  ${written('query', request, shouldTrigger)}\n]\n` };
  const text = appended(chosen.text, request, shouldTrigger);
  const isKept =
    text !== undefined && readEvals(text, false).triggers.length === chosen.triggers.length + 1 && isJson(text);
  if (isKept) return { name: chosen.name, text };
  return { problem: `\`evals/${chosen.name}\` leaves no place for the request: write it there by hand.` };
}

const isOwn = ({ name }: EvalsFile): boolean => name === OWN_FILE;

const written = (key: string, request: string, shouldTrigger: boolean): string =>
  `{${JSON.stringify(key)}: ${JSON.stringify(request)}, "should_trigger": ${shouldTrigger}}`;

/** The text with a further item at the end of its list. */
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
