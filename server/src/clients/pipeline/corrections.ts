/**
 * Characters that some clients cannot read in a frontmatter that is valid for others (docs/clients.md, "The steps of a
 * client"), with the edits that replace them. The edits do not change what other clients read.
 */
import { parseFrontmatter } from '../../languages/yaml/frontmatter.ts';
import { mapEntries, type YamlNode } from '../../languages/yaml/node.ts';
import { lineBreakOf, overlaps, type Span, span, type TextEdit } from '../../text.ts';

/** The codes of causes that an edit of some characters removes. */
export const CORRECTABLE = ['open/bom', 'open/cr', 'parse/tab', 'parse/line-break', 'parse/escape'] as const;

export type Correctable = (typeof CORRECTABLE)[number];

/** The largest number of characters that are replaced. */
const MOST_EDITS = 10_000;

/** Returns the edits that remove a cause, in the order of the text; none if the file does not have it. Never throws. */
export function correctionOf(text: string, code: Correctable): readonly TextEdit[] {
  switch (code) {
    case 'open/bom':
      return text.startsWith('\uFEFF') ? [{ span: span(0, 1), newText: '' }] : [];
    case 'open/cr': {
      const crs = placesOf(text, /\r(?!\n)/g, span(0, text.length));
      const newText = text.includes('\n') ? lineBreakOf(text.replace(/\r(?!\n)/g, '')) : '\n';
      return crs.map((place) => ({ span: place, newText }));
    }
    case 'parse/tab':
      return /\t/.test(text) ? replaced(text, /\t/g, ' ', isInText) : [];
    case 'parse/line-break':
      return /[\u0085\u2028\u2029]/.test(text) ? replaced(text, /[\u0085\u2028\u2029]/g, ' ', () => false) : [];
    case 'parse/escape':
      return text.includes('\\/') ? replaced(text, /(?<=(?<!\\)(?:\\\\)*)\\\//g, '/', (node) => !isDouble(node)) : [];
  }
}

/** Returns the edits that replace some characters of the YAML, without those in scalars for which `isKept` is true. */
function replaced(
  text: string,
  pattern: RegExp,
  newText: string,
  isKept: (node: YamlNode) => boolean,
): readonly TextEdit[] {
  const { tree } = parseFrontmatter(text, 'hyphens');
  const kept = [...scalarsOf(tree.root).filter(isKept), ...tree.comments].map((one) => one.span);
  return placesOf(text, pattern, tree.span)
    .filter((place) => !kept.some((one) => overlaps(one, place)))
    .map((place) => ({ span: place, newText }));
}

/** Returns whether a scalar keeps its tabs: it is in quotes, or a block. */
const isInText = (node: YamlNode): boolean => node.kind === 'scalar' && node.style !== 'plain';

const isDouble = (node: YamlNode): boolean => node.kind === 'scalar' && node.style === 'double';

function scalarsOf(root: YamlNode | undefined): readonly YamlNode[] {
  const found: YamlNode[] = [];
  const waiting = root ? [root] : [];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (node.kind === 'scalar') found.push(node);
    else if (node.kind === 'list') waiting.push(...node.items);
    else for (const { key, value } of mapEntries(node)) waiting.push(key, value);
  }
  return found;
}

function placesOf(text: string, pattern: RegExp, { start, end }: Span): readonly Span[] {
  const places: Span[] = [];
  pattern.lastIndex = start;
  for (let found = pattern.exec(text); found && found.index < end; found = pattern.exec(text)) {
    if (places.push(span(found.index, found.index + found[0].length)) >= MOST_EDITS) break;
  }
  return places;
}
