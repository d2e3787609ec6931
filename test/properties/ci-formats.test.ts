/** Readers of each pipeline format receive the findings of `check` unchanged, for any messages and paths. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { type Finding, SEVERITIES } from '../../server/src/finding.ts';
import type { CheckReport } from '../../server/src/reports/check-report.ts';
import { toCheckstyle } from '../../server/src/reports/checkstyle.ts';
import { toGithub } from '../../server/src/reports/github.ts';
import { toGitlab } from '../../server/src/reports/gitlab.ts';
import { toJunit } from '../../server/src/reports/junit.ts';
import { toRdjson } from '../../server/src/reports/rdjson.ts';
import { toSarif } from '../../server/src/reports/sarif.ts';
import { applyEdits, showInvisible } from '../../server/src/text.ts';
import { cases } from '../random.ts';

/** Strings with all characters that formats escape, and with those that no format supports. */
const piece = fc.oneof(
  fc.constantFrom(
    '%',
    '%0A',
    '::error::',
    ',',
    ':',
    '<',
    '&amp;',
    ']]>',
    '"',
    "'",
    '\\',
    '|',
    '`',
    '#',
    '$',
    '{{ x }}',
  ),
  fc.constantFrom('\n', '\r\n', '\t', '\u0000', '\u001b[31m', '\u202e', '\ud800', '\ufffe', '🐉', 'ü', ' '),
  fc.string({ unit: 'binary', maxLength: 6 }),
);
const text = fc.array(piece, { minLength: 1, maxLength: 8 }).map((pieces) => pieces.join(''));
const path = text.map((name) => `skills/${name.replace(/[/\n\r\0]/g, '_')}.skill.md`);

const TEXT = 'name: ünfug 🐉\ntools: [reed_page]\n\nRead it.';

/** The offsets of all characters and of the end of the text, so that no finding splits a surrogate pair. */
const bounds = [...TEXT.matchAll(/.|$/gsu)].map(({ index }) => index);
const bound = (at: number): number => bounds[Math.min(at, bounds.length - 1)] as number;

const found = fc
  .record({
    message: text,
    severity: fc.constantFrom(...SEVERITIES),
    start: fc.nat(bounds.length - 1),
    length: fc.nat(30),
    newText: fc.option(text, { nil: undefined }),
  })
  .map(({ message, severity, start, length, newText }): Finding => {
    const span = { start: bound(start), end: bound(start + length) };
    const edits = [{ uri: 'file:///here', edits: [{ span, newText: newText ?? '' }] }];
    const fixes = newText === undefined ? [] : [{ title: message, safe: false, edits }];
    const related = [{ uri: 'file:///here', span, message }];
    return { rule: 'unknown-tool', code: 'unknown-tool', severity, message, span, related, fixes };
  });

const report = fc
  .record({ path, findings: fc.array(found, { minLength: 1, maxLength: 9 }) })
  .map(({ path, findings }): CheckReport & { readonly path: string; readonly findings: readonly Finding[] } => ({
    ...{ path, findings },
    files: [{ file: path, text: TEXT, findings }],
    findFile: () => ({ file: path, text: TEXT }),
  }));

const holds = (law: (given: typeof report extends fc.Arbitrary<infer Given> ? Given : never) => void): void =>
  fc.assert(fc.property(report, law), cases(40));

const messages = (findings: readonly Finding[]): readonly string[] =>
  findings.map(({ message }) => showInvisible(message));

const ajv = new Ajv2020({ allErrors: true });
const string = { type: 'string' } as const;
const fromOne = { type: 'integer', minimum: 1 } as const;
const object = (properties: object, optional: readonly string[] = []) => ({
  ...{ type: 'object', properties, additionalProperties: false },
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
});

/** The fields that GitLab reads. GitLab publishes no schema. */
const isCodeQuality = ajv.compile({
  type: 'array',
  items: object({
    ...{ description: string, check_name: string, fingerprint: { type: 'string', pattern: '^[0-9a-f]{16}(-\\d+)?$' } },
    severity: { enum: ['info', 'minor', 'major', 'critical', 'blocker'] },
    location: object({
      path: { type: 'string', not: { pattern: '^(\\./|/)' } },
      lines: object({ begin: fromOne, end: fromOne }),
    }),
  }),
});

const range = object({
  start: object({ line: fromOne, column: fromOne }),
  end: object({ line: fromOne, column: fromOne }),
});

/** The schema of reviewdog, stricter than the published schema because it forbids other fields. */
const isRdjson = ajv.compile(
  object({
    source: object({ name: string }),
    diagnostics: {
      type: 'array',
      items: object(
        {
          ...{ message: string, severity: { enum: ['ERROR', 'WARNING', 'INFO'] } },
          location: object({ path: string, range }),
          code: object({ value: string, url: string }),
          suggestions: { type: 'array', items: object({ range, text: string }) },
        },
        ['suggestions'],
      ),
    },
  }),
);

test('GitLab reads every finding, each with a unique fingerprint', () => {
  holds((given) => {
    const issues = JSON.parse(toGitlab(given));
    assert.ok(isCodeQuality(issues), JSON.stringify(isCodeQuality.errors));
    const list = issues as { description: string; fingerprint: string; location: { path: string } }[];
    assert.deepEqual(
      list.map(({ description }) => description),
      messages(given.findings),
    );
    assert.equal(new Set(list.map(({ fingerprint }) => fingerprint)).size, list.length);
    for (const { location } of list) assert.equal(location.path, given.path);
  });
});

test('reviewdog reads every finding at its byte columns, with suggestions that equal the fixes', () => {
  const bytes = Buffer.from(TEXT);
  const starts = [0, ...[...bytes.entries()].flatMap(([at, byte]) => (byte === 10 ? [at + 1] : []))];
  const offset = ({ line, column }: { line: number; column: number }): number =>
    (starts[line - 1] ?? Number.NaN) + column - 1;
  holds((given) => {
    const json = JSON.parse(toRdjson(given));
    assert.ok(isRdjson(json), JSON.stringify(isRdjson.errors));
    const { diagnostics } = json as {
      diagnostics: Diagnostic[];
    };
    assert.deepEqual(
      diagnostics.map(({ message }) => message),
      messages(given.findings),
    );
    for (const [at, { location, suggestions = [] }] of diagnostics.entries()) {
      const { span, fixes } = given.findings[at] as Finding;
      const { start, end } = location.range;
      assert.equal(offset(start), Buffer.byteLength(TEXT.slice(0, span.start)));
      assert.equal(offset(end), Buffer.byteLength(TEXT.slice(0, span.end)));
      const made = suggestions.map(({ range, text }) =>
        Buffer.concat([bytes.subarray(0, offset(range.start)), Buffer.from(text), bytes.subarray(offset(range.end))]),
      );
      const meant = fixes.map(({ edits }) => Buffer.from(applyEdits(TEXT, edits[0]?.edits ?? [])));
      assert.deepEqual(made, meant);
    }
  });
});

interface Place {
  readonly line: number;
  readonly column: number;
}
interface Diagnostic {
  readonly message: string;
  readonly location: { readonly range: { readonly start: Place; readonly end: Place } };
  readonly suggestions?: readonly {
    readonly range: { readonly start: Place; readonly end: Place };
    readonly text: string;
  }[];
}

test('GitHub reads every finding from the printed commands, the most severe first', () => {
  const unescaped = (escaped: string): string =>
    escaped.replaceAll('%2C', ',').replaceAll('%3A', ':').replaceAll('%25', '%');
  holds((given) => {
    const lines = toGithub(given).split('\n');
    const commands = lines.slice(0, -2).map((line) => /^::(error|warning|notice) (.*?)::(.*)$/.exec(line));
    const read = commands.map((command) => {
      const [, level = '', properties = '', message = ''] = command ?? [];
      const named = new Map(properties.split(',').map((one) => one.split('=', 2) as [string, string]));
      return {
        level,
        file: unescaped(named.get('file') ?? ''),
        line: Number(named.get('line')),
        message: unescaped(message),
      };
    });
    const order = { error: 0, warning: 1, notice: 2 };
    const levels = read.map(({ level }) => order[level as keyof typeof order]);
    assert.deepEqual(levels, levels.toSorted());
    assert.deepEqual(read.map(({ message }) => message).toSorted(), messages(given.findings).toSorted());
    for (const { file, line } of read) {
      assert.equal(file, showInvisible(given.path));
      assert.ok(line >= 1 && line <= 4);
    }
    assert.match(lines.at(-2) ?? '', /^\d+ .* in 1 file\.$/);
  });
});

const parser = new XMLParser({
  ...{
    ignoreAttributes: false,
    attributeNamePrefix: '',
    parseAttributeValue: false,
    parseTagValue: false,
    trimValues: false,
  },
  ...{ htmlEntities: true, isArray: (name) => ['file', 'error', 'testsuite', 'testcase'].includes(name) },
});

/** The text with only the characters that XML allows. */
const inXml = (text: string): string => text.replace(/[\ufffe\uffff]/g, '\ufffd');

test('a Checkstyle reader reads every finding', () => {
  holds((given) => {
    const xml = toCheckstyle(given);
    assert.equal(XMLValidator.validate(xml), true);
    const { checkstyle } = parser.parse(xml);
    const [file] = checkstyle.file;
    assert.deepEqual(
      file.error.map(({ message }: { message: string }) => message),
      messages(given.findings).map(inXml),
    );
    for (const error of file.error) {
      assert.deepEqual(Object.keys(error), ['line', 'column', 'severity', 'message', 'source']);
      assert.match(error.severity, /^(error|warning|info)$/);
    }
  });
});

test('a JUnit reader reads every finding once, with the right counts', () => {
  holds((given) => {
    const xml = toJunit(given, 'warning');
    assert.equal(XMLValidator.validate(xml), true);
    const { testsuites } = parser.parse(xml);
    const [suite, ...others] = testsuites.testsuite;
    assert.deepEqual(others, []);
    const names = suite.testcase.map(({ name }: { name: string }) => name);
    assert.equal(new Set(names).size, given.findings.length);
    const failures = suite.testcase.filter((one: object) => 'failure' in one);
    const failed = given.findings.filter(({ severity }) => severity === 'error' || severity === 'warning');
    assert.deepEqual(
      failures.map(({ failure }: { failure: { message: string } }) => failure.message),
      messages(failed).map(inXml),
    );
    for (const counts of [testsuites, suite]) {
      assert.deepEqual([counts.tests, counts.failures, counts.errors], [`${names.length}`, `${failed.length}`, '0']);
    }
  });
});

test('a SARIF reader reads every finding, with paths as URI references', () => {
  holds((given) => {
    const [run] = JSON.parse(
      toSarif(given, { version: '1.0.0', rules: [], pageOf: () => undefined, zippedSize: () => 0 }),
    ).runs;
    assert.deepEqual(
      run.results.map(({ message }: { message: { text: string } }) => message.text),
      messages(given.findings),
    );
    for (const { locations } of run.results) {
      const { uri } = locations[0].physicalLocation.artifactLocation;
      assert.doesNotThrow(() => new URL(uri, 'file:///w/'));
      assert.equal(decodeURIComponent(uri), given.path.replace(/\p{Surrogate}/gu, '\ufffd'));
    }
  });
});
