/** Completion in YAML: the frontmatter, a contract, the catalog, and the metadata of an artifact. */

import { outputOfTool } from '../../analysis/tool-output.ts';
import { BUILT_IN_AGENTS } from '../../clients/agents/agent-rules.ts';
import type { KeyPath } from '../../languages/yaml/cursor.ts';
import { findValue, nodeAt, stringOf, type YamlTree } from '../../languages/yaml/node.ts';
import { endOfLine, lineStart } from '../../text.ts';
import { clientKeyTables } from '../../vocabulary/agent-skill-clients.ts';
import type { ArtifactKind } from '../../vocabulary/artifact-keys.ts';
import { alternatives, type KeyOffers, type KeyTable, offersAt, type Shape } from '../../vocabulary/shape.ts';
import { placeInTable } from '../symbol/schema-place.ts';
import { offerInCondition } from './condition.ts';
import { dataProposals } from './data.ts';
import { offerFallback } from './fallback.ts';
import { offerMappedNames, offerStepInputs } from './flow.ts';
import { clientKeyProposals, keyProposals } from './keys.ts';
import { nameProposals, runNameProposals, skillProposals } from './names.ts';
import { type Cursor, Kind, type Offer, type Proposal, Rank } from './proposal.ts';
import { offerSuppression, ruleProposals } from './rule-names.ts';
import { keyInsert, offerInSchema } from './schema-words.ts';
import { itemSnippets, keySnippets } from './snippets.ts';
import { offerClientTools, offerTools } from './tools.ts';
import { valueProposals } from './values.ts';
import {
  findYamlCursor,
  hasColon,
  offerAt,
  withinScopeName,
  wordBefore,
  written,
  type YamlCursor,
} from './yaml-place.ts';

export function offerInYaml(from: Cursor, tree: YamlTree, table: KeyTable, artifact?: ArtifactKind): Offer | undefined {
  const found = findYamlCursor(from, tree, artifact);
  if (!found) return offerSuppression(from);
  if (hasBlockBelow(from.file.text, from.offset)) return undefined;
  const cursor = withinScopeName(found, (path) =>
    placeInTable(table, path).shapes.some((shape) => shape.kind === 'string' && shape.domain === 'scope'),
  );
  const { path } = cursor.place;
  const { shapes, schema } = placeInTable(table, path);
  if (schema) return offerInSchema(cursor, schema.at, schema.rest);
  if (shapes.some((shape) => shape.kind === 'string' && shape.format === 'condition')) return offerInCondition(cursor);
  return (artifact === undefined ? offerByKey(cursor, table) : undefined) ?? offerByTable(cursor, table, shapes);
}

/** The longest text in which the value of a key is looked for, in UTF-16 code units. */
const MAX_BELOW = 5_000;

/** Returns whether an offset is after a key whose value is a block on the next lines: a second value would break it. */
function hasBlockBelow(text: string, offset: number): boolean {
  const start = lineStart(text, offset);
  const key = /^((?: |- +)*)[^\s#-][^\n]*:[ \t]*$/.exec(text.slice(start, offset));
  const end = endOfLine(text, offset);
  if (!key || !/^[ \t]*(?:#.*)?$/.test(text.slice(offset, end))) return false;
  const [, indent = '', item] =
    /^(?:[ \t]*(?:#[^\n]*)?\r?\n)+( *)(?:(-\s)|[^\s#])/.exec(text.slice(end, end + MAX_BELOW)) ?? [];
  const column = key[1]?.length ?? 0;
  return indent.length > column || (item !== undefined && indent.length === column);
}

type OfferAt = (cursor: YamlCursor, at: KeyPath, rest: KeyPath) => Offer | undefined;

/**
 * The completion for each value that `offers` can have in a key of the vocabulary. `at` is the path to the value of
 * that key, and `rest` the path from the value to the cursor. Returns undefined if the table of keys is sufficient.
 */
const OFFERINGS: { readonly [Offers in KeyOffers]: OfferAt } = {
  rules: (cursor, _, rest) => keysOnly(cursor, rest, ruleProposals),
  'usual limits': (cursor, _, rest) => keysOnly(cursor, rest, limitProposals),
  'names of a client': offerClientTools,
  'sample values': (cursor, _, rest) => {
    const input = cursor.file.contract.input?.schema;
    return input && offerAt(cursor, dataProposals(cursor, input, rest));
  },
  'stub result': (cursor, at, rest) => {
    const output = outputOfTool(cursor.analysis, cursor.file, String(at[3]));
    return output && offerAt(cursor, dataProposals(cursor, output.schema, rest));
  },
  answers: (cursor, _, [name, ...rest]) => {
    const { input, output } = cursor.file.contract;
    const schema = new Map([
      ['on_missing_input', input?.schema],
      ['on_output_mismatch', output?.schema],
    ]).get(String(name));
    return schema && offerAt(cursor, dataProposals(cursor, schema, rest));
  },
  'tool input': (cursor, at, rest) => {
    const { analysis, file, tree } = cursor;
    const name = stringOf(findValue(nodeAt(tree.root, at.slice(0, -1)), 'name'));
    const known = name === undefined ? undefined : analysis.catalogOf(file.uri).tools.get(name)?.inputSchema;
    return offerInSchema(cursor, at, rest, 'json-schema', known);
  },
  'mapped names': offerMappedNames,
  'step inputs': offerStepInputs,
  fallback: offerFallback,
};

const keysOnly = (cursor: YamlCursor, rest: KeyPath, propose: (cursor: YamlCursor) => Proposal[]): Offer | undefined =>
  cursor.place.role === 'key' && rest.length === 0 ? offerAt(cursor, propose(cursor)) : undefined;

function offerByKey(cursor: YamlCursor, table: KeyTable): Offer | undefined {
  const { path, role } = cursor.place;
  const found = offersAt(table, path);
  if (found) return OFFERINGS[found.offers](cursor, path.slice(0, found.depth), path.slice(found.depth));
  const { dialect } = cursor.file;
  if (dialect === 'client-file') {
    const isAgent = path.length === 1 && path[0] === 'agent' && role === 'value';
    return isAgent ? offerAt(cursor, agentProposals(cursor)) : offerTools(cursor);
  }
  if (dialect !== 'agent-skill') return undefined;
  // Client-specific keys are not in the tables of the vocabulary.
  return offerTools(cursor) ?? (path.length === 1 && role === 'value' ? clientValues(cursor) : undefined);
}

function offerByTable(cursor: YamlCursor, table: KeyTable, shapes: readonly Shape[]): Offer | undefined {
  const { file, place } = cursor;
  // After a dash, the first key of a map can follow.
  const hasKeys = place.role === 'key' || (place.role === 'item' && !place.flow);
  const keys = hasKeys ? shapes.flatMap((shape) => (shape.kind === 'map' ? keyProposals(cursor, shape) : [])) : [];
  if (place.role === 'key') {
    const domain = shapes.flatMap((shape) => (shape.kind === 'record' ? (shape.keyDomain ?? []) : []))[0];
    if (domain === 'skill') return skillKeys(cursor);
    if (domain === 'surface') return offerAt(cursor, surfaceKeys(cursor));
    if (domain === 'tool' || domain === 'interrupt') return offerAt(cursor, runKeys(cursor, domain));
    const own = file.dialect === 'agent-skill' && place.path.length === 0 ? clientKeyProposals(cursor, table) : [];
    return (
      itemsBelow(cursor, table, shapes) ?? {
        span: place.span,
        proposals: [...keys, ...own, ...keySnippets(cursor, keys)],
      }
    );
  }
  const { proposals, isIncomplete } = valueProposals(cursor, shapes);
  const lower = keys.map((key) => ({ ...key, rank: Rank.rest }));
  return { ...offerAt(cursor, [...proposals, ...lower, ...itemSnippets(cursor)]), isIncomplete };
}

/** Offers list items that begin with a dash, on a new line below the key of a list. */
function itemsBelow(cursor: YamlCursor, table: KeyTable, shapes: readonly Shape[]): Offer | undefined {
  const { place } = cursor;
  const items = shapes.flatMap((shape) => (shape.kind === 'list' ? [shape.items] : []));
  if (items.length === 0 || place.siblings.length > 0 || place.flow) return undefined;
  const path = [...place.path, 0];
  const within: YamlCursor = { ...cursor, place: { ...place, path, role: 'item', before: '- ' } };
  return offerByKey(within, table) ?? offerByTable(within, [], items.flatMap(alternatives));
}

/** Offers the skills that have no entry yet. The snippet disables the skill, which is the most common use. */
function skillKeys(cursor: YamlCursor): Offer {
  const { proposals, isIncomplete } = skillProposals(cursor, wordBefore(cursor));
  const isBare = hasColon(cursor) || cursor.quote !== '';
  const others = proposals.filter(({ label }) => !cursor.place.siblings.includes(label));
  const insertOf = (name: string) =>
    isBare ? {} : { insert: `${written(cursor, name)}: {enabled: \${1:false}}`, isSnippet: true };
  return {
    span: cursor.place.span,
    proposals: others.map((one) => ({ ...one, ...insertOf(one.label) })),
    isIncomplete,
  };
}

/** Offers the tools that have no stub yet, or the interrupts that have no answer yet. */
const runKeys = (cursor: YamlCursor, domain: 'tool' | 'interrupt'): Proposal[] =>
  runNameProposals(cursor, domain)
    .filter(({ label }) => !cursor.place.siblings.includes(label))
    .map((one) => ({ ...one, ...keyInsert(cursor, one.label, domain === 'tool' ? 'map' : 'value') }));

/** Offers the surfaces that have no list yet. */
const surfaceKeys = (cursor: YamlCursor): Proposal[] =>
  nameProposals(cursor, 'surface')
    .filter(({ label }) => !cursor.place.siblings.includes(label))
    .map((one) => ({ ...one, ...keyInsert(cursor, one.label, 'list') }));

const limitProposals = (cursor: YamlCursor): Proposal[] =>
  ['per_user_per_min', 'global_per_sec']
    .filter((name) => !cursor.place.siblings.includes(name))
    .map((name) => ({ label: name, kind: Kind.Property, detail: 'number', ...keyInsert(cursor, name, 'value') }));

function clientValues(cursor: YamlCursor): Offer | undefined {
  if (cursor.place.path[0] === 'agent') return offerAt(cursor, agentProposals(cursor));
  const uses = clientKeyTables.flatMap(({ keys }) => keys.filter(({ name }) => name === cursor.place.path[0]));
  if (uses.length === 0) return undefined;
  const values = uses.flatMap(({ type, values = [] }) => (type === 'boolean' ? ['true', 'false'] : values));
  return offerAt(
    cursor,
    values.map((label) => ({ label, kind: Kind.EnumMember })),
  );
}

/** Offers the agents of the workspace that Claude Code loads, and those that it brings. */
const agentProposals = ({ analysis }: YamlCursor): Proposal[] => [
  ...analysis.agents.all
    .filter(({ isLoaded }) => isLoaded)
    .map(({ callName }): Proposal => ({ label: callName, kind: Kind.Reference, rank: Rank.own })),
  ...BUILT_IN_AGENTS.map((label): Proposal => ({ label, kind: Kind.EnumMember, detail: 'Claude Code' })),
];
