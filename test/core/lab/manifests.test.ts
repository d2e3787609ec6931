/** The findings in manifests against the verdicts of the clients' own validators (`npm run lab -- --validate`). */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { MANIFEST_CASES, type ManifestCase } from '../../../lab/manifests/cases.ts';
import type { ManifestVerdicts } from '../../../lab/validate.ts';
import type { Finding } from '../../../server/src/finding.ts';
import { findingsIn, openFiles } from '../rules/page.ts';

const { verdicts } = JSON.parse(readFileSync('lab/manifests/verdicts.json', 'utf8')) as ManifestVerdicts;

/** The cases in which the product and a validator differ, with the reason. */
const UNSAID: readonly (readonly [id: RegExp, why: string])[] = [
  [/^plugin network object$/, 'No client reads `network`: the validator only shows it.'],
  [/^plugin defaultEnabled boolean$/, 'A plugin that is off by default is not loaded, as its author wants.'],
  [/^plugin dependenc(?:y|ies list)$/, 'The plugins that it needs are not there, but may be installed.'],
  [/^marketplace no plugins$/, 'A marketplace may be empty.'],
  [/^hooks an unquoted root$/, 'The hook runs, unless the path of the plugin contains a space.'],
  [
    /^plugin with instructions$/,
    'Neither the plugin nor a skill is lost: the file may be for the developers of the plugin.',
  ],
];
const STRICTER: readonly (readonly [id: RegExp, why: string])[] = [
  [
    /^marketplace entry skills ".\/more\/tow-boat\/SKILL.md"$/,
    'Observed after an installation: the skill is not loaded.',
  ],
  [/ text duplicate key$/, 'JSON parsers differ on which value they use.'],
  [/^marketplace entry source ".\/missing"$/, 'Observed: the plugin cannot be installed.'],
];

const excused = (list: typeof UNSAID, id: string): boolean => list.some(([pattern]) => pattern.test(id));

function findingsOf({ files }: ManifestCase): readonly Finding[] {
  const all = Object.entries(files).map(([path, content]) => ({ language: '', path, content, start: 0, end: 0 }));
  const workspace = openFiles(all);
  return all.filter(({ path }) => path.endsWith('.json')).flatMap(({ path }) => findingsIn(workspace, path));
}

const shown = (findings: readonly Finding[]): string =>
  findings.map(({ severity, rule, message }) => `${severity} ${rule}: ${message}`).join(' | ') || 'nothing';

describe('findings in manifests', () => {
  it('have a verdict for each case', () => {
    assert.deepEqual(
      Object.keys(verdicts),
      MANIFEST_CASES.map(({ id }) => id),
    );
  });

  it('differ only for cases that exist', () => {
    const ids = MANIFEST_CASES.map(({ id }) => id);
    const unused = [...UNSAID, ...STRICTER].filter(([pattern]) => !ids.some((id) => pattern.test(id)));
    assert.deepEqual(unused, []);
  });

  it('agree with the validators of the clients', () => {
    const wrong = MANIFEST_CASES.flatMap((one) => {
      const verdict = verdicts[one.id];
      if (!verdict) return [];
      const findings = findingsOf(one);
      const strong = findings.filter(({ severity }) => severity === 'error' || severity === 'warning');
      const said = [...verdict.errors, ...verdict.warnings].join(' | ');
      const isRight = verdict.errors.length > 0 ? strong.length > 0 : said === '' || findings.length > 0;
      const unsaid = isRight || excused(UNSAID, one.id) ? [] : [`silent: ${one.id}: ${said} => ${shown(findings)}`];
      const isStricter = said === '' && strong.length > 0 && !excused(STRICTER, one.id);
      return [...unsaid, ...(isStricter ? [`stricter: ${one.id} => ${shown(findings)}`] : [])];
    });
    assert.deepEqual(wrong, []);
  });

  it('are errors if the client does not load the plugin', () => {
    const wrong = MANIFEST_CASES.flatMap((one) => {
      const verdict = verdicts[one.id];
      if (verdict?.isLoaded !== false || excused(UNSAID, one.id)) return [];
      const findings = findingsOf(one);
      return findings.some(({ severity }) => severity === 'error')
        ? []
        : [`${one.id}: ${verdict.errors.join(' | ')} => ${shown(findings)}`];
    });
    assert.deepEqual(wrong, []);
  });

  it('do not say that a loaded plugin is not loaded', () => {
    const wrong = MANIFEST_CASES.flatMap((one) => {
      if (verdicts[one.id]?.isLoaded !== true) return [];
      const findings = findingsOf(one).filter(({ message }) => message.includes('does not load the plugin'));
      return findings.length === 0 || excused(STRICTER, one.id) ? [] : [`${one.id} => ${shown(findings)}`];
    });
    assert.deepEqual(wrong, []);
  });
});
