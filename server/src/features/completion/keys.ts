/** The keys of a vocabulary that a map does not have yet. */
import { folderOf, nameFromUri } from '../../skill/dialect.ts';
import { clientKeyTables } from '../../skill/vocabulary/agent-skill-clients.ts';
import { findKey, type KeySpec, type KeyTable } from '../../skill/vocabulary/shape.ts';
import { NAME_PATTERN } from '../../skill/vocabulary/skill-keys.ts';
import { describeClientKey, describeKey, plainShape } from '../describe.ts';
import { keySkeleton } from './key-skeletons.ts';
import { Kind, type Proposal } from './proposal.ts';
import { columnAt, hasColon, type YamlCursor } from './yaml-place.ts';

export function keyProposals(cursor: YamlCursor, table: KeyTable): Proposal[] {
  const { document, place } = cursor;
  const present = new Set(place.siblings.flatMap((name) => findKey(table, name)?.name ?? name));
  return table
    .filter((key) => !present.has(key.name) && isInPlace(cursor, key))
    .map((key) => ({
      label: key.name,
      kind: Kind.Property,
      detail: plainShape(key.shape),
      docs: describeKey(key, document.dialect),
      rank: key.mandatory ? 1 : 3,
      ...insertion(cursor, key),
    }));
}

/** A contract has no templates for `framing` to name. */
const isInPlace = ({ document, place }: YamlCursor, { name }: KeySpec): boolean =>
  !(document.dialect === 'contract' && place.path.length === 0 && name === 'framing');

function insertion(cursor: YamlCursor, key: KeySpec): Pick<Proposal, 'insert' | 'isSnippet'> {
  if (hasColon(cursor) || cursor.quote !== '') return {};
  const layout = { column: columnAt(cursor), flow: cursor.place.flow };
  const preset = cursor.place.path.length === 0 && key.name === 'name' ? nameOfFile(cursor) : undefined;
  return { insert: keySkeleton(key, layout, preset), isSnippet: true };
}

/** The name that the file's own name, or the folder of a `SKILL.md`, promises. */
function nameOfFile({ document: { uri, dialect } }: YamlCursor): string | undefined {
  try {
    const name = nameFromUri(dialect === 'agent-skill' ? folderOf(uri) : uri);
    return NAME_PATTERN.test(name) ? name : undefined;
  } catch {
    // A URI that does not decode.
    return undefined;
  }
}

/** The keys that single clients add to the Agent Skills standard, each once. */
export function clientKeyProposals(cursor: YamlCursor, standard: KeyTable): Proposal[] {
  const taken = new Set([...cursor.place.siblings, ...standard.map(({ name }) => name)]);
  const names = new Set(clientKeyTables.flatMap(({ keys }) => keys.map(({ name }) => name)));
  return [...names]
    .filter((name) => !taken.has(name))
    .map((name) => {
      const uses = clientKeyTables.flatMap(({ client, keys }) =>
        keys.filter((key) => key.name === name).map((key) => ({ client, key })),
      );
      return {
        label: name,
        kind: Kind.Property,
        detail: `only ${uses.map(({ client }) => client).join(', ')}`,
        docs: describeClientKey(name),
        rank: 6,
        ...(hasColon(cursor) || cursor.quote !== '' ? {} : { insert: `${name}: ` }),
      };
    });
}
