/** The JSON of `clients` and `clients --why`: nothing is lost, and nothing is written twice. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import { clients } from '../../../server/src/clients/facts/clients.ts';
import { AgentSkills } from '../../../server/src/clients/matrix/agent-skills.ts';
import { type ClientRow, COLUMNS } from '../../../server/src/clients/matrix/cell.ts';
import { chosenView } from '../../../server/src/features/clients/chosen.ts';
import { type ClientsReport, type WhyReport, whyOf } from '../../../server/src/reports/clients.ts';
import { clientsToJson, whyToJson } from '../../../server/src/reports/clients-json.ts';
import { SkillFile } from '../../../server/src/skill/skill-file.ts';
import { skillText } from './fixtures.ts';
import { type ClientsJson, type ReadRow, readRows } from './read-report.ts';

const FOLDERS = ['.claude/skills', '.agents/skills', '.github/skills', 'skills', '.gemini/skills/.drafts'];
const DESCRIPTION = "description: Tidies a novelist's notes.";

/** Texts of a skill with different mistakes and keys. */
const TEXTS: readonly ((name: string) => string)[] = [
  (name) => skillText(`name: ${name}`, DESCRIPTION),
  (name) => skillText(`name: ${name}`, DESCRIPTION, 'allowed-tools: Read', 'license: MIT'),
  (name) => skillText(`name: other-${name}`, DESCRIPTION),
  () => skillText(DESCRIPTION, 'mood: good', 'disable-model-invocation: true'),
  (name) => skillText(`name: ${name}`),
  (name) => skillText(`name: ${name}`, `description: ${'Merges notes. '.repeat(150)}`),
  (name) => `\uFEFF${skillText(`name: ${name}`, DESCRIPTION, DESCRIPTION)}`,
  (name) => skillText(`name: ${name}`, 'description: Tidies notes. Use when: there are many', 'user-invocable: false'),
  () => skillText('name: init', DESCRIPTION, 'x"\u0007y: z'),
];

function reportOf(count: number): ClientsReport {
  const files = Array.from({ length: count }, (_, at) => {
    const name = `tidy-notes-${at}`;
    const text = TEXTS[at % TEXTS.length]?.(name) ?? '';
    return new SkillFile(`file:///w/${FOLDERS[at % FOLDERS.length]}/${name}/SKILL.md`, text);
  });
  const skills = AgentSkills.of(files);
  return {
    files: files.map((file) => ({ file: file.uri.slice('file:///w/'.length), rows: skills.rowsOf(file, clients) })),
    asked: clients,
    targets: new Set(),
    isNarrowed: false,
    listings: [],
    npxSkills: [],
    sameNames: [[{ file: 'a/SKILL.md', scope: 'project', plugins: [] }]],
  };
}

const written = (report: ClientsReport): string => [...clientsToJson(report)].join('');
const jsonOf = (report: ClientsReport): ClientsJson => JSON.parse(written(report)) as ClientsJson;

/** Returns the row that a reader of the JSON has. */
const asRead = (file: string, { client, name, ...cells }: ClientRow): ReadRow => ({
  ...(Object.fromEntries(COLUMNS.map((column) => [column, cells[column].outcome])) as Record<
    (typeof COLUMNS)[number],
    string
  >),
  file,
  client: client.id,
  name,
  reasons: COLUMNS.flatMap((column) =>
    cells[column].reasons.map(({ text, source, checked, certainty }) => ({ column, text, source, checked, certainty })),
  ),
});

describe('the JSON of `clients`', () => {
  const report = reportOf(4 * TEXTS.length * FOLDERS.length);

  it('contains every outcome, name and reason of every skill and client', () => {
    const rows = report.files.flatMap(({ file, rows: own }) => own.map((row) => asRead(file, row)));
    const json = jsonOf(report);
    assert.deepEqual(readRows(json), rows);
    assert.equal(json.version, 2);
    assert.deepEqual(json.sameNames, report.sameNames);
    assert.deepEqual(
      json.clients.map(({ id, name, budget }) => [id, name, budget]),
      clients.map(({ id, name }) => [id, name, null]),
    );
    assert.ok(json.skills.some(({ otherNames }) => otherNames) && json.skills.some(({ otherNames }) => !otherNames));
  });

  it('contains each row, reason and source once, on a line of its own', () => {
    const { skills, rows, reasons, sources } = jsonOf(report);
    for (const table of [rows, reasons, sources]) {
      assert.equal(new Set(table.map((item) => JSON.stringify(item))).size, table.length);
    }
    const lines = new Set(
      written(report)
        .split('\n')
        .map((line) => line.trim().replace(/,$/, '')),
    );
    for (const item of [...skills, ...rows, ...reasons, ...sources]) {
      if (!JSON.stringify(item).includes('\u0007')) assert.ok(lines.has(JSON.stringify(item)), JSON.stringify(item));
    }
  });

  it('is less than a tenth of the rows with their reasons', () => {
    const rows = report.files.flatMap(({ file, rows: own }) => own.map((row) => asRead(file, row)));
    assert.ok(written(report).length < JSON.stringify(rows).length / 10);
  });

  it('has empty tables for a report without skills', () => {
    const { skills, rows, reasons, sources } = jsonOf({ ...report, files: [], sameNames: [] });
    assert.deepEqual([skills, rows, reasons, sources], [[], [], [], []]);
  });
});

/** Returns the chain of one skill among others in every client, with a request and two cases. */
function whyReport(): WhyReport {
  const workspace = new Workspace();
  const uri = 'file:///w/.agents/skills/tidy-notes/SKILL.md';
  const others = { 'merge-pdf': 'description: Merges PDF files.', 'count-words': 'description: Counts words.' };
  workspace.apply({ kind: 'text', uri, text: skillText('name: tidy-notes', DESCRIPTION) });
  for (const [name, description] of Object.entries(others)) {
    const text = skillText(`name: ${name}`, description);
    workspace.apply({ kind: 'text', uri: uri.replace('tidy-notes', name), text });
  }
  const { analysis } = workspace;
  const file = analysis.file(uri);
  assert.ok(file);
  const cases = [
    { request: 'tidy the notes', should: true, uri, span: { start: 0, end: 1 } },
    { request: 'merge two PDF files', should: false, uri, span: { start: 0, end: 1 } },
  ];
  const views = clients.flatMap(
    ({ id }) =>
      chosenView(analysis, file, { client: id, request: 'tidy the notes', arguments: undefined, cases }) ?? [],
  );
  return { file: 'tidy-notes/SKILL.md', clients: views.map((view) => whyOf(view, (one) => one)) };
}

interface WhyJson {
  readonly version: number;
  readonly file: string;
  readonly clients: readonly {
    readonly steps: readonly { readonly reasons: readonly { readonly source: number }[] }[];
    readonly ranking?: number;
    readonly cases: readonly { readonly ranking: number }[];
    readonly body?: number;
  }[];
  readonly rankings: readonly object[];
  readonly bodies: readonly object[];
  readonly sources: ClientsJson['sources'];
}

describe('the JSON of `clients --why`', () => {
  const report = whyReport();
  const json = JSON.parse([...whyToJson(report)].join('')) as WhyJson;

  it('contains the whole chain of every client', () => {
    const { rankings, bodies, sources } = json;
    const read = json.clients.map(({ ranking, body, ...client }) => ({
      ...client,
      steps: client.steps.map(({ reasons, ...step }) => ({
        ...step,
        reasons: reasons.map(({ source, ...reason }) => ({
          ...reason,
          source: sources[source]?.title,
          checked: sources[source]?.checked,
        })),
      })),
      ...(ranking !== undefined && { ranking: rankings[ranking] }),
      cases: client.cases.map(({ ranking: of, ...rest }) => ({ ...rest, ...rankings[of] })),
      ...(body !== undefined && { body: bodies[body] }),
    }));
    assert.deepEqual(read, JSON.parse(JSON.stringify(report.clients)));
    assert.deepEqual([json.version, json.file], [2, report.file]);
  });

  it('contains each ranking, body and source once', () => {
    const { rankings, bodies, sources } = json;
    assert.ok(rankings.length > 1 && rankings.length < clients.length);
    for (const table of [rankings, bodies, sources]) {
      assert.equal(new Set(table.map((item) => JSON.stringify(item))).size, table.length);
    }
    assert.equal(bodies.length, 1);
  });
});
