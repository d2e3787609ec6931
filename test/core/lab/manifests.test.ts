/** The findings in manifests against the verdicts of the clients' own validators (`npm run lab -- --validate`). */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { MANIFEST_CASES, type ManifestCase } from '../../../lab/manifests/cases.ts';
import type { ManifestVerdicts } from '../../../lab/validate.ts';
import type { Finding } from '../../../server/src/finding.ts';
import { isJson } from '../../../server/src/languages/yaml/json.ts';
import { findingsIn, openFiles, type PageFile, textsAfterFix } from '../rules/page.ts';

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

const filesOf = ({ files }: ManifestCase): readonly PageFile[] =>
  Object.entries(files).map(([path, content]) => ({ language: '', path, content, start: 0, end: 0 }));

/** Returns the path of the file that the case is about. */
const manifestOf = ({ files }: ManifestCase): string =>
  ['hooks/hooks.json', '.claude-plugin/marketplace.json', '.claude-plugin/plugin.json', 'gemini-extension.json'].find(
    (path) => files[path] !== undefined,
  ) ?? '';

function findingsOf(one: ManifestCase): readonly Finding[] {
  const all = filesOf(one);
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

  it('have fixes that write JSON and remove the finding', () => {
    const wrong = MANIFEST_CASES.flatMap((one) =>
      findingsIn(openFiles(filesOf(one)), manifestOf(one)).flatMap(({ rule, message, fixes }) =>
        fixes.flatMap((fix) => {
          if (rule !== 'invalid-plugin-manifest' && rule !== 'ignored-plugin-key') return [];
          const text = textsAfterFix(openFiles(filesOf(one)), fix).get(manifestOf(one)) ?? '';
          const fixed: ManifestCase = { ...one, files: { ...one.files, [manifestOf(one)]: text } };
          const isThere = findingsOf(fixed).some((other) => other.rule === rule && other.message === message);
          return isJson(text.replace('\uFEFF', '')) && !isThere
            ? []
            : [`${one.id}: ${fix.title} for ${message}: ${text.replaceAll(/\s+/g, ' ')}`];
        }),
      ),
    );
    assert.deepEqual(wrong, []);
  });

  it('do not fail in files that end too early', () => {
    for (const one of MANIFEST_CASES) {
      const text = one.files[manifestOf(one)] ?? '';
      const cut = text.slice(0, (text.length * one.id.length) % Math.max(1, text.length));
      findingsOf({ ...one, files: { ...one.files, [manifestOf(one)]: cut } });
    }
  });
});
