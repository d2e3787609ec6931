/** The keys of a vocabulary that a map does not have yet. */
import { clientKeyTables } from '../../vocabulary/agent-skill-clients.ts';
import { nameFromUri } from '../../vocabulary/dialect.ts';
import { findKey, type KeySpec, type KeyTable } from '../../vocabulary/shape.ts';
import { NAME_PATTERN } from '../../vocabulary/skill-keys.ts';
import { describeClientKey, describeKey, plainShape } from '../hover/describe.ts';
import { keySkeleton, offersWords, startsEmpty } from './key-skeletons.ts';
import { Kind, type Proposal, Rank } from './proposal.ts';
import { columnAt, hasColon, type YamlCursor } from './yaml-place.ts';

export function keyProposals(cursor: YamlCursor, table: KeyTable): Proposal[] {
  const { file, place } = cursor;
  const present = new Set(place.siblings.map((name) => findKey(table, name)?.name ?? name));
  const isRoot = place.path.length === 0;
  // A contract has no templates for `framing` to name.
  if (isRoot && file.dialect === 'contract') present.add('framing');
  const isBare = hasColon(cursor) || cursor.quote !== '';
  const layout = { column: columnAt(cursor), flow: place.flow };
  const insertOf = (key: KeySpec): Partial<Proposal> => {
    const preset = isRoot && key.name === 'name' ? nameOfFile(cursor) : undefined;
    if (isBare) return {};
    const insert = keySkeleton(key, layout, preset);
    return { insert, isSnippet: true, opensNext: startsEmpty(insert) && offersWords(key.shape) };
  };
  return table
    .filter(({ name }) => !present.has(name))
    .map((key) => ({
      label: key.name,
      kind: Kind.Property,
      detail: plainShape(key.shape),
      docs: (_, { dialect }) => describeKey(key, dialect),
      rank: key.mandatory ? Rank.demanded : Rank.known,
      ...insertOf(key),
    }));
}

/** The skill's name as the file's name, or the folder of a `SKILL.md`, gives it. */
function nameOfFile({ file: { uri } }: YamlCursor): string | undefined {
  const name = nameFromUri(uri);
  return NAME_PATTERN.test(name) ? name : undefined;
}

/** The keys that single clients add to the Agent Skills standard, each once. */
export function clientKeyProposals(cursor: YamlCursor, standard: KeyTable): Proposal[] {
  const taken = new Set([...cursor.place.siblings, ...standard.map(({ name }) => name)]);
  const isBare = hasColon(cursor) || cursor.quote !== '';
  return [...clientsByKey()]
    .filter(([name]) => !taken.has(name))
    .map(([name, clients]) => ({
      label: name,
      kind: Kind.Property,
      detail: `only ${clients.join(', ')}`,
      docs: () => describeClientKey(name),
      rank: Rank.rest,
      insert: isBare ? undefined : `${name}: `,
    }));
}

/** The names that clients add, each with the clients that know it. */
function clientsByKey(): ReadonlyMap<string, readonly string[]> {
  const clients = new Map<string, string[]>();
  for (const { client, keys } of clientKeyTables) {
    for (const { name } of keys) clients.set(name, [...(clients.get(name) ?? []), client]);
  }
  return clients;
}
