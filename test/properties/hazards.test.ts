/** Files that once broke the readers, with the expected findings: exactly one finding for each defect. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { type PageCase, parsePage, withoutMarkers } from '../core/rules/page.ts';
import { markHazard, readHazard, writeHazard } from './hazard.ts';
import { applySafeFixes, checkFindings, fileAt, findingsAt, open, ROOT, textsAfter } from './opened.ts';
import { checkSurvival } from './survival.ts';

const folder = 'test/properties/hazards';
const update = process.env.UPDATE_EXPECT === '1';

for (const file of readdirSync(folder).sort()) {
  const path = `${folder}/${file}`;
  const page = readFileSync(path, 'utf8');
  const { title, cases } = parsePage(page);
  const changes: { start: number; end: number; actual: string }[] = [];
  const expectSame = (expected: string, actual: string, at: { start: number; end: number }, message: string) => {
    if (update) changes.push({ ...at, actual });
    else assert.equal(actual, expected, message);
  };

  describe(title, () => {
    let failing: PageCase | undefined;
    for (const one of cases) {
      if (one.kind !== 'fixed') failing = one;
      const about = failing;
      it(`${one.kind}: ${one.title}`, () => {
        if (one.kind === 'fixed') checkFixed(about, one, expectSame);
        else checkCase(one, expectSame);
      });
    }
    it('is up to date', () => {
      let text = page;
      for (const { start, end, actual } of changes.reverse()) text = text.slice(0, start) + actual + text.slice(end);
      if (text !== page) writeFileSync(path, text);
    });
  });
}

type Expect = (expected: string, actual: string, at: { start: number; end: number }, message: string) => void;

const openCase = ({ files }: PageCase) =>
  open(Object.fromEntries(files.map(({ path, content }) => [path, readHazard(withoutMarkers(content)).text])));

function checkCase(one: PageCase, expectSame: Expect): void {
  const workspace = openCase(one);
  for (const file of one.files) {
    const hazard = readHazard(withoutMarkers(file.content));
    const findings = checkFindings(workspace, file.path);
    expectSame(file.content, markHazard(hazard, findings), file, one.title);
    for (const { fixes } of findings) {
      for (const fix of fixes) {
        for (const { uri, edits } of fix.edits) {
          const file = workspace.analysis.file(uri);
          assert.ok(file, uri);
          checkSurvival(file, fix, edits);
        }
      }
    }
  }
  const [main] = one.files;
  assert.ok(main, `${one.title} has a file`);
  if (one.kind === 'failing' && !update) assert.ok(findingsAt(workspace, main.path).length > 0, `${one.title} fails`);
  applySafeFixes(workspace, main.path);
}

/** Checks the text after one fix: the fix with the given title, or else the first fix of any finding. */
function checkFixed(failing: PageCase | undefined, { title, files }: PageCase, expectSame: Expect): void {
  const [main] = failing?.files ?? [];
  assert.ok(failing && main, `${title} fixes something`);
  const workspace = openCase(failing);
  const fixes = findingsAt(workspace, main.path).flatMap((finding) => finding.fixes);
  const fix = title ? fixes.find((candidate) => candidate.title === title) : fixes[0];
  assert.ok(fix, `no fix "${title}" among ${JSON.stringify(fixes.map((candidate) => candidate.title))}`);
  const texts = textsAfter(workspace, fix.edits);
  for (const file of files) {
    const text = texts.get(`${ROOT}/${file.path}`) ?? fileAt(workspace, file.path).text;
    expectSame(file.content, writeHazard(text), file, `after "${fix.title}"`);
  }
}
