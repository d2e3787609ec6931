/** The output of each pipeline format, also for hostile messages and paths. */
import { strict as assert } from 'node:assert';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import type { Fix } from '../../../server/src/finding.ts';
import type { CheckReport } from '../../../server/src/reports/check-report.ts';
import { toCheckstyle } from '../../../server/src/reports/checkstyle.ts';
import { toGithub, toJobSummary } from '../../../server/src/reports/github.ts';
import { toGitlab } from '../../../server/src/reports/gitlab.ts';
import { toJunit } from '../../../server/src/reports/junit.ts';
import { toRdjson } from '../../../server/src/reports/rdjson.ts';
import { GITHUB, toSarif } from '../../../server/src/reports/sarif.ts';
import { rules } from '../../../server/src/rules/engine/index.ts';
import { homepageOf } from '../../host/site.mjs';
import { at, finding, HOSTILE_PATH, replace, reportOf } from './hostile-report.ts';

const zippedSize = (text: string): number => gzipSync(text).length;

const sarif = (report: CheckReport) =>
  JSON.parse(
    toSarif(report, {
      version: '1.2.3',
      rules,
      pageOf: (rule) => `# ${rule}\n\nWhat it is for. And more.\n`,
      zippedSize,
    }),
  );

describe('SARIF', () => {
  it('declares every rule with its page, including rules without findings', () => {
    const { rules: declared } = sarif(reportOf([])).runs[0].tool.driver;
    assert.deepEqual(
      declared.map(({ id }: { id: string }) => id),
      rules.map(({ name }) => name),
    );
    assert.equal(declared[0].shortDescription.text, 'What it is for.');
    assert.equal(declared[0].help.markdown, `# ${rules[0]?.name}\n\nWhat it is for. And more.\n`);
  });

  it('uses one-based positions, writes paths as URI references, and includes fixes', () => {
    const fix = replace('reed_page', 'read_page');
    const [result] = sarif(reportOf([finding('error', 'unknown-tool', { fixes: [fix] })])).runs[0].results;
    const { artifactLocation, region } = result.locations[0].physicalLocation;
    assert.equal(decodeURIComponent(artifactLocation.uri), HOSTILE_PATH);
    assert.match(artifactLocation.uri, /^[\w/.%-]+$/);
    assert.deepEqual(region, { startLine: 2, startColumn: 9, endLine: 2, endColumn: 18 });
    assert.deepEqual(result.fixes[0].artifactChanges[0].replacements, [
      { deletedRegion: region, insertedContent: { text: 'read_page' } },
    ]);
    assert.equal(rules[result.ruleIndex]?.name, 'unknown-tool');
  });

  it('numbers the fingerprints of equal lines, and keeps the fingerprint of a line that moves', () => {
    const second = finding('error', 'unknown-tool', { span: at('reed_page', 30) });
    const prints = (report: CheckReport): string[] =>
      sarif(report).runs[0].results.map(
        (one: { partialFingerprints: Record<string, string> }) => one.partialFingerprints.primaryLocationLineHash,
      );
    const before = prints(reportOf([finding('error'), second]));
    assert.match(before[0] ?? '', /^[0-9a-f]{16}:1$/);
    assert.equal(before[1], before[0]?.replace(/1$/, '2'));
    const { files, findFile } = reportOf([finding('error')]);
    const moved = files.map((file) => ({
      ...file,
      text: `\n\n${file.text}`,
      findings: file.findings.map((one) => ({ ...one, span: { start: one.span.start + 2, end: one.span.end + 2 } })),
    }));
    assert.deepEqual(prints({ files: moved, findFile }), before.slice(0, 1));
  });

  it('drops the least severe results above the limit, and reports their number', () => {
    const hints = Array.from({ length: GITHUB.results }, () => finding('hint'));
    const [run] = sarif(reportOf([...hints, finding('error')])).runs;
    assert.equal(run.results.length, GITHUB.results);
    assert.equal(run.results[0].level, 'error');
    const [told] = run.invocations[0].toolExecutionNotifications;
    assert.match(told.message.text, /^The SARIF file omits the 1 least severe finding: /);
  });

  it("stays below GitHub's size limit, and reports the number of omitted findings", () => {
    const notes: string[] = [];
    const random = (at: number): string => createHash('sha512').update(`${at}`).digest('base64');
    const many = Array.from({ length: 64 }, (_, at) => finding('error', 'unknown-tool', { message: random(at) }));
    const note = (text: string) => void notes.push(text);
    const limits = { results: 60, zipped: 3000 };
    const options = { version: '1.2.3', rules: [], pageOf: () => undefined, zippedSize, note };
    const text = toSarif(reportOf(many), options, limits);
    assert.ok(gzipSync(text).length <= limits.zipped);
    const [{ results }] = JSON.parse(text).runs;
    assert.ok(results.length > 0 && results.length < 60, String(results.length));
    assert.equal(notes.length, 1);
    assert.match(notes[0] ?? '', new RegExp(`^The SARIF file omits the ${64 - results.length} least severe findings`));
  });
});

describe('GitHub', () => {
  it('writes each finding on one line, whatever its message and path contain', () => {
    const [line, summary, ...rest] = toGithub(reportOf([finding('error')])).split('\n');
    const escapedPath = 'skills/ä %25%2C "x"%3A<y>&.skill.md';
    assert.ok(
      line?.startsWith(`::error file=${escapedPath},line=2,endLine=2,col=9,endColumn=18,title=unknown-tool::a%25b`),
    );
    assert.equal(summary, '1 error in 1 of 2 files.');
    assert.deepEqual(rest, ['']);
  });

  it('shows errors first, at most ten findings per level, and the number of omitted findings', () => {
    const findings = [...Array<'hint'>(12).fill('hint'), ...Array<'error'>(11).fill('error')].map((one) =>
      finding(one),
    );
    const lines = toGithub(reportOf(findings)).trimEnd().split('\n');
    assert.equal(lines.filter((line) => line.startsWith('::error ')).length, 10);
    assert.equal(lines.filter((line) => line.startsWith('::notice ')).length, 10);
    assert.ok(lines[0]?.startsWith('::error '));
    assert.match(lines.at(-1) ?? '', /^11 errors, 12 hints in 1 of 2 files\. 3 more are not annotated: .*\.$/);
  });

  it('summarises a job in a valid table, whatever the messages contain', () => {
    const lines = toJobSummary(reportOf([finding('error')]))
      .trimEnd()
      .split('\n');
    assert.equal(lines.length, 7);
    assert.equal(lines.at(-1)?.replaceAll('\\|', '').split('|').length, 6);
    assert.ok(lines.at(-1)?.includes('\\<e\\>'));
  });

  it("truncates a summary above GitHub's limit", () => {
    const many = Array.from({ length: 20_000 }, () => finding('error'));
    const summary = toJobSummary(reportOf(many));
    assert.ok(Buffer.byteLength(summary) < 1024 * 1024);
    assert.match(summary, /\n\d+ more findings are omitted, because the summary is too long\.\n$/);
  });
});

it('GitLab’s report contains a unique fingerprint for each finding', () => {
  const issues = JSON.parse(toGitlab(reportOf([finding('error'), finding('warning')])));
  assert.deepEqual(
    issues.map(({ severity, check_name, location }: Record<string, unknown>) => ({ severity, check_name, location })),
    ['major', 'minor'].map((severity) => ({
      severity,
      check_name: 'unknown-tool',
      location: { path: HOSTILE_PATH, lines: { begin: 2, end: 2 } },
    })),
  );
  assert.equal(new Set(issues.map(({ fingerprint }: Record<string, unknown>) => fingerprint)).size, 2);
});

it('reviewdog’s report counts columns in bytes, and contains a fix with several edits as one suggestion', () => {
  const fix: Fix = {
    title: 'Write it out',
    safe: false,
    edits: [
      {
        uri: 'file:///here',
        edits: [
          { span: at('name'), newText: 'title' },
          { span: at('fug'), newText: 'sinn' },
        ],
      },
    ],
  };
  const report = reportOf([finding('info', 'invalid-name', { span: at('fug'), fixes: [fix] })]);
  const [diagnostic] = JSON.parse(toRdjson(report)).diagnostics;
  assert.equal(diagnostic.severity, 'INFO');
  const end = { line: 1, column: 13 };
  assert.deepEqual(diagnostic.location, { path: HOSTILE_PATH, range: { start: { line: 1, column: 10 }, end } });
  assert.deepEqual(diagnostic.suggestions, [{ range: { start: { line: 1, column: 1 }, end }, text: 'title: ünsinn' }]);
});

it('a fix that edits another file is not a suggestion for reviewdog', () => {
  const fix = { ...replace('name', 'title'), edits: [{ uri: 'file:///there', edits: [] }] };
  const [diagnostic] = JSON.parse(toRdjson(reportOf([finding('hint', 'unknown-tool', { fixes: [fix] })]))).diagnostics;
  assert.equal(diagnostic.suggestions, undefined);
});

const parsed = (xml: string) => {
  assert.equal(XMLValidator.validate(xml), true);
  return new XMLParser({ ignoreAttributes: false, attributeNamePrefix: '' }).parse(xml);
};

it('Checkstyle’s report is valid XML, whatever the message and the path contain', () => {
  const { checkstyle } = parsed(toCheckstyle(reportOf([finding('hint')])));
  assert.equal(checkstyle.file.name, HOSTILE_PATH);
  const { line, column, severity, source, message } = checkstyle.file.error;
  assert.deepEqual([line, column, severity, source], ['2', '9', 'info', 'skill-composer.unknown-tool']);
  assert.match(message, /^a%b/);
});

it('JUnit’s report contains a failed test for each finding that fails the run, and no duplicate names', () => {
  const xml = toJunit(reportOf([finding('error'), finding('hint'), finding('hint')]), 'error');
  const { testsuites } = parsed(xml);
  assert.deepEqual([testsuites.tests, testsuites.failures], ['4', '1']);
  const [clean, other] = testsuites.testsuite;
  assert.equal(clean.testcase.name, 'no findings');
  const names = other.testcase.map(({ name }: { name: string }) => name);
  assert.deepEqual(names, ['unknown-tool at 2:9', 'unknown-tool at 2:9 (2)', 'unknown-tool at 2:9 (3)']);
  assert.deepEqual(
    other.testcase.map((one: Record<string, unknown>) => 'failure' in one),
    [true, false, false],
  );
});

describe('the address of the documentation site', () => {
  const report = reportOf([finding('error', 'unknown-tool')]);
  const links = () => {
    const ofRule = sarif(report).runs[0].tool.driver.rules.find(({ id }: { id: string }) => id === 'unknown-tool');
    return [ofRule.helpUri, JSON.parse(toRdjson(report)).diagnostics[0].code.url];
  };

  it('is part of SARIF and of the format of reviewdog only if the build knows it', () => {
    assert.deepEqual(links(), [undefined, 'docs/rules/unknown-tool.md']);
    const page = 'https://example.com/manual/rules/unknown-tool.html';
    Object.assign(globalThis, { HOMEPAGE: 'https://example.com/manual' });
    try {
      assert.deepEqual(links(), [page, page]);
    } finally {
      Reflect.deleteProperty(globalThis, 'HOMEPAGE');
    }
  });

  it('has no slash at its end, and is refused if rule pages cannot be added to it', () => {
    assert.equal(homepageOf({ homepage: 'https://example.com/manual/' }, ''), 'https://example.com/manual');
    assert.equal(homepageOf({ homepage: 'https://example.org' }, 'https://example.com'), 'https://example.com');
    assert.equal(homepageOf({}, ''), '');
    for (const wrong of ['example.com', 'javascript:alert(1)', 'https://example.com/?page=', 'https://example.com/#'])
      assert.throws(() => homepageOf({}, wrong), /is not an address|The address/);
  });
});
