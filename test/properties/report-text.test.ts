/** Authors' text in reports: it is visible, adds no line to a report and starts no command of a pipeline. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import pc from 'picocolors';
import { Workspace } from '../../server/src/analysis/workspace.ts';
import { toDot, toMermaid } from '../../server/src/features/graph/drawing.ts';
import { graphView, NO_FINDINGS } from '../../server/src/features/graph/graph-view.ts';
import { outputTo, reportText } from '../../server/src/frontends/cli/console.ts';
import { noteOf } from '../../server/src/io/stderr.ts';
import type { InstallView } from '../../server/src/protocol/packing.ts';
import { auditToJson, auditToMarkdown, auditToPretty } from '../../server/src/reports/audit.ts';
import type { CheckReport } from '../../server/src/reports/check-report.ts';
import { toCheckstyle } from '../../server/src/reports/checkstyle.ts';
import { toGithub, toJobSummary } from '../../server/src/reports/github.ts';
import { toGitlab } from '../../server/src/reports/gitlab.ts';
import { checkToPretty, previewToPretty } from '../../server/src/reports/install.ts';
import { printedJson, toJson } from '../../server/src/reports/json.ts';
import { toJunit } from '../../server/src/reports/junit.ts';
import { matchToPretty } from '../../server/src/reports/match.ts';
import { toPretty } from '../../server/src/reports/pretty.ts';
import { toRdjson } from '../../server/src/reports/rdjson.ts';
import { toSarif } from '../../server/src/reports/sarif.ts';
import { registryTable } from '../../server/src/reports/tables.ts';
import {
  type TestReport,
  testsToGithub,
  testsToJson,
  testsToJunit,
  testsToPretty,
} from '../../server/src/reports/test-results.ts';
import { pullLines } from '../../server/src/services/tools/pull-catalogs.ts';
import { reportOn } from '../core/cli/report.ts';
import { cases } from '../random.ts';
import { isUnseen } from './unseen.ts';

const colors = pc.createColors(false);

/** Each call returns the text of one field of a report. */
type Field = () => string;

const PIECES = [
  ...['::error file=README.md::forged', '::', ':', '##[error]x', '##vso[task.setvariable variable=x]y', '##teamcity[x'],
  ...['\n', '\r\n', '\r', '\n\n', '\t', ' ', '\u0085', '\u2028', '\u2029', '\u000b', '\u00a0', '%0A', '%0D'],
  ...['\u001b[31m', '\u009b2J', '\u0007', '\0', '\u007f', '\b', '\u202e', '\u2066', '\u061c', '\ud800', '\ufffe'],
  ...['\u00ad', '\u034f', '\u3164', '\u115f', '\u2060', '\u200b', '\u200d', '\ufeff', '\ufe0f', '\u{e0041}'],
  ...['a', 'é', '|', '`', '"', '<!--', ']]>', '\\', '#', '-->', '{{'],
];

const text = fc
  .array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 6 })
  .map((pieces) => `${pieces.join('')}x`);

const URI = 'file:///w/a.skill.md';

const checked = (field: Field): CheckReport => {
  const file = field();
  const fixes = [{ title: field(), safe: true, edits: [{ uri: URI, edits: [] }] }];
  const related = [{ uri: URI, span: { start: 0, end: 1 }, message: field() }];
  const report = reportOn(file, 'name: ⟦x⟧\n', { message: field(), related, fixes });
  return { ...report, findFile: () => ({ file, text: 'name: x\n' }) };
};

const tested = (field: Field): TestReport => {
  const span = { start: 0, end: 1 };
  const base = { kind: 'output', span } as const;
  const results = [
    { ...base, name: field(), status: 'failed', message: field(), decidedAt: field() },
    { ...base, name: field(), status: 'warned', message: field() },
    { ...base, name: field(), status: 'skipped', message: field() },
    { ...base, name: field(), status: 'passed' },
  ] as const;
  return { files: [{ file: field(), skill: field(), lines: [0], results }], written: [field()] };
};

const compared = (field: Field): TestReport => {
  const [line, other] = [field().replaceAll('\n', ''), field().replaceAll('\n', '')];
  const result = { kind: 'snapshot', name: 'x', status: 'failed', span: { start: 0, end: 1 } } as const;
  const differing = { ...result, expected: `same\n${line}\nx`, actual: `same\n${other}.\nx` };
  return {
    files: [{ file: 'x', skill: 'x', lines: [0], results: [{ ...differing, comparable: true }, differing] }],
    written: [],
  };
};

const matched = (field: Field) => ({
  weak: false,
  matches: [
    {
      ...{ name: field(), version: field(), file: field(), score: 0.5, ambiguous: true },
      reasons: [{ field: field(), text: field() }],
    },
  ],
  excluded: [{ name: field(), file: field(), reason: field() }],
});

const audited = (field: Field) => {
  const compared = [
    { uri: '1', name: field() },
    { uri: '2', name: field() },
  ];
  const file = field();
  return {
    audit: {
      compared,
      overlaps: { isCut: false, pairs: [{ a: 0, b: 1, similarity: 0.9, shared: [field(), field()] }] },
      upkeep: [{ uri: '1', name: field(), severity: 'info' as const, why: field() }],
      contracts: [{ uri: '2', name: field(), missing: [field()] }],
    },
    threshold: 0.5,
    fileOf: () => file,
  };
};

const installed = (field: Field): InstallView => {
  const note = () => ({ path: field(), why: field() });
  return {
    origin: field(),
    skills: [
      {
        ...{ name: field(), version: field(), oldVersion: field(), state: 'update', path: field() },
        ...{ description: field(), identity: [{ key: field(), text: field() }], writes: false, operation: field() },
        ...{ effects: [field()], tools: [{ name: field(), operation: field(), isKnown: false }] },
        ...{ scopes: [{ name: field(), isKnown: false }], parts: [{ name: field(), from: 'missing' }] },
        ...{
          interrupts: [field()],
          executables: [field()],
          runs: [field()],
          automatic: [note()],
          reaches: [field()],
          programs: [field()],
          modules: [field()],
          unanalysed: [field()],
          addresses: [field()],
        },
        findings: [{ rule: 'x', path: field(), line: 1, message: field() }],
        ...{ notScanned: [note()], others: [{ path: field(), relation: 'hidden' }], permission: field() },
        ...{ changes: [{ kind: 'more', text: field() }], contract: [{ bump: 'major', message: field() }] },
      },
    ],
    files: [{ path: field(), state: 'new' }],
    patches: [{ path: field(), patch: null }],
    conflicts: [note()],
    unremoved: [note()],
    leftOut: [note()],
    conversion: { path: field(), text: 'x', losses: [{ what: field(), why: field() }] },
    digest: 'x',
  };
};

const pulled = (field: Field) => ({
  ...{ file: field(), snapshot: field(), differs: true, written: false, catalogs: [] },
  servers: (['pulled', 'failed', 'skipped', 'off'] as const).map((status) => ({
    ...{ name: field(), file: field(), status, version: field(), tools: 1, reason: field() },
  })),
  changes: [
    {
      change: { kind: 'required' as const, tool: field(), server: field(), inputs: [field()] },
      skills: [{ name: field(), file: field() }],
    },
  ],
  notes: [field()],
  notOffered: [{ server: field(), clients: [field()], tool: field(), reason: field() }],
  shared: [{ tool: field(), servers: [field(), field()] }],
});

/** YAML forbids some characters even in quotes, except as escapes. */
const inYaml = (value: object): string =>
  JSON.stringify(value).replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

const drawn = (field: Field) => {
  const workspace = new Workspace();
  const frontmatter = { name: `whole ${field()}`, level: 2, version: field(), composes: [`part ${field()}`] };
  workspace.apply({ kind: 'text', uri: URI, text: `---\n${inYaml(frontmatter)}\n---\n` });
  return graphView(workspace.analysis, { roots: [URI], countFindings: () => NO_FINDINGS });
};

const HEADS = ['name', 'owner', 'version', 'surfaces', 'p95', 'cost', 'idempotent', 'level', 'permissions'];

const FORMATS: Readonly<Record<string, (field: Field) => string>> = {
  'check --format pretty': (field) => toPretty(checked(field), { colors, quiet: false, fixed: undefined }),
  'check --format junit': (field) => toJunit(checked(field), 'error'),
  'check --format checkstyle': (field) => toCheckstyle(checked(field)),
  'check --format gitlab': (field) => toGitlab(checked(field)),
  'check --format rdjson': (field) => toRdjson(checked(field)),
  'check --format json': (field) => toJson(checked(field)),
  'check --format sarif': (field) =>
    toSarif(checked(field), { version: '1', rules: [], pageOf: () => undefined, zippedSize: () => 0 }),
  'the summary of a job': (field) => toJobSummary(checked(field)),
  'test --format pretty': (field) => testsToPretty(tested(field), colors, false),
  'test --format junit': (field) => testsToJunit(tested(field)),
  'test --format json': (field) => testsToJson(tested(field)),
  'the differences that `test` shows': (field) => testsToPretty(compared(field), colors, false),
  'the differences in a JUnit file': (field) => testsToJunit(compared(field)),
  'match --format pretty': (field) => matchToPretty(matched(field), colors),
  'audit --format pretty': (field) => auditToPretty(audited(field), colors),
  'audit --format markdown': (field) => auditToMarkdown(audited(field)),
  'audit --format json': (field) => printedJson(auditToJson(audited(field))),
  'the preview of `install`': (field) => previewToPretty(installed(field), colors),
  'install --check': (field) =>
    checkToPretty(
      [
        {
          ...{ name: field(), path: field(), files: [{ path: field(), state: 'edited' }] },
          changes: [{ kind: 'more', text: field() }],
        },
      ],
      colors,
    ),
  'catalog --format markdown': (field) =>
    registryTable([Object.fromEntries(HEADS.map((head) => [head, field()])) as never]),
  'tools pull': (field) => pullLines(pulled(field)).join('\n'),
  'graph --format mermaid': (field) => toMermaid(drawn(field)),
  'graph --format dot': (field) => toDot(drawn(field)),
  'a note': (field) => noteOf(field()),
};

/** Prints a report as the command line does. */
function print(report: string, format?: string): string {
  const texts: string[] = [];
  outputTo((printed) => texts.push(printed), false).print(report, format);
  return texts.join('');
}

/** Returns a source of fields that takes the texts in turn. */
function inTurn(texts: readonly string[]): Field {
  let next = 0;
  return () => texts[next++ % texts.length] ?? '';
}

const linesOf = (printed: string): readonly string[] => printed.split(/\r\n|[\n\r\u2028\u2029]/);

/** `##[` and the like anywhere in a line, and `::` at its start, as GitHub, Azure Pipelines and TeamCity read them. */
const isCommand = (line: string): boolean => /^[\s\u0085]*::|##[a-z]*\[/i.test(line);

describe('a report about hostile text', () => {
  for (const [name, format] of Object.entries(FORMATS)) {
    test(`${name} has as many lines as one about harmless text, all visible and without commands`, () => {
      const harmless = print(format(() => 'x'));
      fc.assert(
        fc.property(fc.array(text, { minLength: 1, maxLength: 5 }), (texts) => {
          const printed = print(format(inTurn(texts)));
          assert.deepEqual(linesOf(printed).filter(isCommand), []);
          assert.deepEqual([...printed].filter(isUnseen), []);
          assert.equal(linesOf(printed).length, linesOf(harmless).length, printed);
        }),
        cases(100),
      );
    });
  }

  const commands: Readonly<Record<string, (field: Field) => string>> = {
    check: (field) => toGithub(checked(field)),
    test: (field) => testsToGithub(tested(field)),
  };
  for (const [name, format] of Object.entries(commands)) {
    test(`${name} --format github has only its own commands`, () => {
      const own = /^::(?:error|warning) file=[^:,]*(?:,\w+=[^:,]*)*::[^\n]*$/;
      const harmless = linesOf(
        print(
          format(() => 'x'),
          'github',
        ),
      );
      fc.assert(
        fc.property(fc.array(text, { minLength: 1, maxLength: 5 }), (texts) => {
          const lines = linesOf(print(format(inTurn(texts)), 'github'));
          assert.equal(lines.length, harmless.length);
          for (const [at, line] of lines.entries()) assert.equal(own.test(line), isCommand(harmless[at] ?? ''), line);
          assert.deepEqual([...lines.join('')].filter(isUnseen), []);
        }),
        cases(100),
      );
    });
  }

  test('JSON keeps its value', () => {
    fc.assert(
      fc.property(fc.dictionary(text, fc.array(text)), (value) => {
        assert.deepEqual(JSON.parse(print(printedJson(value))), JSON.parse(JSON.stringify(value)));
      }),
      cases(100),
    );
  });

  test('text that is already safe does not change', () => {
    fc.assert(
      fc.property(text, (one) => assert.equal(reportText(reportText(one)), reportText(one))),
      cases(100),
    );
    for (const plain of ['a::b', '# [x]', '## [x]', 'C++ :: scope', '#[derive]', ' : x']) {
      assert.equal(reportText(plain), plain);
    }
  });
});
