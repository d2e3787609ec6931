/** The keys of the output of `clients --format json` (docs/clients.md, "As JSON"). */
import { count, filled, prose, text } from '../common-shapes.ts';
import { type KeyTable, key, keysOf, listOf, mapOf, oneOf, recordOf, type Shape } from '../shape.ts';

const SECTION = 'Schemas';

const required = { mandatory: true };

const yesNo = (yes: string, no: string): Shape => oneOf({ yes, no, unknown: 'It is not known.' });

const budget: Shape = mapOf(
  SECTION,
  key('limit', count, 'The size of the list that is left for the skills of a workspace.', required),
  key(
    'unit',
    oneOf({ characters: 'Characters.', bytes: 'Bytes of UTF-8.', tokens: 'Tokens of the model.' }),
    'The unit of all sizes.',
    required,
  ),
  key('total', count, 'The size of the whole list.', required),
  key('builtIn', count, "The size that the client's own skills keep.", required),
  key('context', count, 'The context of the model in tokens; null if the limit does not depend on it.', {
    mandatory: true,
    nullable: true,
  }),
  key('model', filled, 'The name of the model; null if the limit does not depend on it.', {
    mandatory: true,
    nullable: true,
  }),
  key('used', count, 'The size of the entries of all skills in full.', required),
  key(
    'dropped',
    count,
    'The number of skills that are not listed in full; a minimum if the order of the list is not known.',
    required,
  ),
);

const client: Shape = mapOf(
  SECTION,
  key('id', filled, 'The identifier of the client.', required),
  key('name', filled, 'The name of the client.', required),
  key(
    'budget',
    budget,
    'The size of the list and its limit; null if the list has no known limit, or was not computed.',
    {
      mandatory: true,
      nullable: true,
    },
  ),
);

const sameName: Shape = mapOf(
  SECTION,
  key('file', text, 'The file, relative to the working folder, with `/`.', required),
  key(
    'scope',
    oneOf({
      project: 'A skill of the workspace.',
      user: 'A skill of the user.',
      plugin: 'A skill of a plugin.',
      command: 'A command of Claude Code.',
    }),
    'The place of the file.',
    required,
  ),
  key('plugins', listOf(text), 'The plugins that contain the file.', required),
);

const skill: Shape = mapOf(
  SECTION,
  key('file', text, 'The file, relative to the working folder, with `/`.', required),
  key('name', text, 'The name of the skill in most clients.', required),
  key('otherNames', recordOf(text), 'The name in each client that uses another name, by the identifier of the client.'),
  key(
    'rows',
    listOf(count),
    'Positions in `rows`, counted from 0: one for each client, in the order of `clients`.',
    required,
  ),
);

const row: Shape = mapOf(
  SECTION,
  key('client', filled, 'The identifier of the client.', required),
  key(
    'found',
    yesNo('The client searches the folder.', 'It does not.'),
    'Whether the client finds the file.',
    required,
  ),
  key('loaded', yesNo('The client loads the file.', 'It does not.'), 'Whether the client loads the file.', required),
  key(
    'listed',
    yesNo('The list contains the skill.', 'It does not.'),
    'Whether the model sees the skill in its list.',
    required,
  ),
  key(
    'chosen',
    oneOf({
      'model-or-name': 'The model can choose it, and users can call it by its name.',
      model: 'Only the model can choose it.',
      name: 'Users can call it by its name, and the model cannot choose it.',
      nobody: 'Neither the model nor users.',
      unknown: 'It is not known.',
    }),
    'How the skill is chosen.',
    required,
  ),
  key(
    'cut',
    yesNo('A part is cut.', 'Nothing is cut.'),
    'Whether the client cuts the name or the description.',
    required,
  ),
  key('ignored', yesNo('At least one key.', 'No key.'), 'Whether keys of the frontmatter have no effect.', required),
  key('reasons', listOf(count), 'Positions in `reasons`, counted from 0, in the order of the columns.', required),
);

const reason: Shape = mapOf(
  SECTION,
  key(
    'column',
    oneOf({
      found: 'The reason for `found`.',
      loaded: 'The reason for `loaded`.',
      listed: 'The reason for `listed`.',
      chosen: 'The reason for `chosen`.',
      cut: 'The reason for `cut`.',
      ignored: 'The reason for `ignored`.',
    }),
    'The key of the row that it explains.',
    required,
  ),
  key('text', prose, 'A sentence.', required),
  key('source', count, 'A position in `sources`, counted from 0.', required),
  key(
    'certainty',
    oneOf({
      read: 'The source states the fact.',
      derived: 'The fact follows from source code or from a test run.',
      partial: 'The source states only a part of the fact; the note says what is not known.',
      unverified: 'No source confirms the fact.',
    }),
    'The certainty of the fact.',
    required,
  ),
);

const source: Shape = mapOf(
  SECTION,
  key('title', text, 'The page, file or program.', required),
  key('checked', text, 'The day on which it was read, such as `2026-11-23`.', required),
);

export const clientsReportKeys: KeyTable = keysOf(
  SECTION,
  key('version', { kind: 'number', integer: true, min: 2, max: 2 }, 'The version of this format: 2.', required),
  key('clients', listOf(client), 'The clients.', required),
  key('sameNames', listOf(listOf(sameName)), 'The groups of files with the same name.', required),
  key('skills', listOf(skill), 'The skills, sorted by file.', required),
  key('rows', listOf(row), 'How a client treats a skill. Several skills may have the same row.', required),
  key('reasons', listOf(reason), 'The reasons for the outcomes in rows.', required),
  key('sources', listOf(source), 'The sources of the reasons.', required),
);
