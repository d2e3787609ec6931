/** Completion in legacy packages and in manifests, with keys and values in double quotes as JSON requires. */
import { PACKAGE_KINDS } from '../../exchange/legacy-package.ts';
import { jsonPlaceAt } from '../../languages/yaml/json-cursor.ts';
import { findValue, listItems, nodeAt, stringOf, type YamlNode } from '../../languages/yaml/node.ts';
import { span } from '../../text.ts';
import { artifactKeys } from '../../vocabulary/artifact-keys.ts';
import { packageKeys } from '../../vocabulary/published/dialect-keys.ts';
import { alternatives, type KeySpec, type KeyTable, type Shape } from '../../vocabulary/shape.ts';
import { describeKey, plainShape } from '../hover/describe.ts';
import { matchesPattern, placeInTable } from '../symbol/schema-place.ts';
import { type Cursor, Kind, literal, type Offer, type Proposal, Rank } from './proposal.ts';
import { valueProposals } from './values.ts';
import { hasColon, type YamlCursor } from './yaml-place.ts';

export const offerInPackage = (from: Cursor): Offer | undefined =>
  offerInJson(from, (cursor) => (isMetadata(cursor.place.path) ? metadataOf(cursor) : packageKeys));

/** Offers the keys and the values of a table, which may depend on the place of the cursor. */
export function offerInJson(from: Cursor, tableAt: (cursor: YamlCursor) => KeyTable): Offer | undefined {
  const { file, offset } = from;
  const place = jsonPlaceAt(file.text, offset);
  if (!place) return undefined;
  const quote = file.text[place.span.start - 1] === '"' ? '"' : '';
  const cursor: YamlCursor = { ...from, tree: file.frontmatter.tree, place, quote, artifact: undefined };
  const { path, role } = cursor.place;
  const table = tableAt(cursor);
  const rest = file.dialect === 'package' && isMetadata(path) ? path.slice(3) : path;
  const shapes = rest.length === 0 ? [] : placeInTable(table, rest).shapes;
  const keys = rest.length === 0 ? table : shapes.flatMap((shape) => (shape.kind === 'map' ? shape.keys : []));
  const whole = withQuotes(cursor);
  if (role === 'key') return { span: whole, proposals: keyProposals(cursor, keys) };
  if (file.dialect === 'package' && matchesPattern(path, 'artifacts', '#', 'metadata', 'fallback_artifact')) {
    return { span: whole, proposals: templatesIn(cursor).map(quoted) };
  }
  // The values are escaped for double quotes here; `quoted` adds the quotes.
  const { proposals, isIncomplete } = valueProposals({ ...cursor, quote: '"' }, shapes.flatMap(items(role)));
  return { span: whole, proposals: proposals.map(quoted), isIncomplete };
}

const isMetadata = (path: YamlCursor['place']['path']): boolean =>
  matchesPattern(path.slice(0, 3), 'artifacts', '#', 'metadata');

/** Replaces a list shape with the shapes of its items if the cursor is in an item. */
const items =
  (role: YamlCursor['place']['role']) =>
  (shape: Shape): readonly Shape[] => {
    if (shape.kind !== 'list') return [shape];
    return role === 'item' ? alternatives(shape.items) : [];
  };

const FALLBACK: KeySpec = {
  name: 'fallback_artifact',
  shape: { kind: 'string' },
  docs: 'The `prompt_template` that is used when the module cannot run.',
  section: '8',
};

/** Returns the metadata keys that the artifact's kind supports. */
function metadataOf({ tree, place }: YamlCursor): KeyTable {
  const kind = PACKAGE_KINDS.get(stringOf(findValue(nodeAt(tree.root, place.path.slice(0, 2)), 'kind')));
  if (kind === undefined || kind === 'code_template') return [];
  return kind === 'dspy_module' ? [FALLBACK] : artifactKeys[kind];
}

function templatesIn({ tree }: YamlCursor): Proposal[] {
  const named = (artifact: YamlNode): string[] => {
    const name = stringOf(findValue(artifact, 'name'));
    return name !== undefined && stringOf(findValue(artifact, 'kind')) === 'prompt_template' ? [name] : [];
  };
  const names = new Set(listItems(findValue(tree.root, 'artifacts')).flatMap(named));
  return [...names].map((label) => ({ label, kind: Kind.Reference, rank: Rank.own }));
}

function keyProposals(cursor: YamlCursor, table: KeyTable): Proposal[] {
  const { file, place } = cursor;
  const after = file.text.slice(withQuotes(cursor).end);
  const comma = /^\s*"/.test(after) ? ',' : '';
  return table
    .filter(({ name }) => !place.siblings.includes(name))
    .map((key) => ({
      label: key.name,
      kind: Kind.Property,
      detail: plainShape(key.shape),
      docs: () => describeKey(key, file.dialect),
      rank: key.mandatory ? Rank.demanded : Rank.known,
      filter: JSON.stringify(key.name),
      ...(hasColon(cursor)
        ? { insert: JSON.stringify(key.name) }
        : { insert: `"${key.name}": ${emptyOf(key.shape)}${comma}`, isSnippet: true, opensNext: isChosen(key.shape) }),
    }));
}

const isChosen = (shape: Shape): boolean => alternatives(shape).some(({ kind }) => kind === 'choice');

function emptyOf(shape: Shape): string {
  switch (alternatives(shape)[0]?.kind) {
    case 'list':
      return '[$1]';
    case 'map':
    case 'record':
      return '{$1\\}';
    case 'number':
    case 'boolean':
      return '$1';
    default:
      return '"$1"';
  }
}

/** Returns the span of the word including its quotes, which VS Code treats as a part of a word in JSON. */
function withQuotes({ file: { text }, place, quote }: YamlCursor) {
  const { start, end } = place.span;
  return quote === '"' ? span(start - 1, text[end] === '"' ? end + 1 : end) : place.span;
}

function quoted(proposal: Proposal): Proposal {
  const { label, insert, isSnippet, kind } = proposal;
  if (kind === Kind.Keyword) return proposal;
  const text = insert === undefined ? JSON.stringify(label) : `"${insert}"`;
  return { ...proposal, insert: isSnippet ? literal(text) : text, filter: JSON.stringify(label), isSnippet: false };
}
