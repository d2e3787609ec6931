/**
 * Laws of the fixes that drop a sentence: each target client then lists the skill in full, each routing case has the
 * same result, and the rest of the text does not change.
 */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Analysis } from '../../../server/src/analysis/analysis.ts';
import { route, routingCases } from '../../../server/src/analysis/routing.ts';
import { overListings, targetRows } from '../../../server/src/analysis/targets.ts';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import type { Cause } from '../../../server/src/clients/matrix/causes.ts';
import { shorteningFixes } from '../../../server/src/features/actions/shorten-description.ts';
import type { Fix } from '../../../server/src/finding.ts';
import { findValue, stringOf, type YamlScalar } from '../../../server/src/languages/yaml/node.ts';
import { unitsOf } from '../../../server/src/matching/words.ts';
import { check } from '../../../server/src/rules/engine/check.ts';
import { applyEdits } from '../../../server/src/text.ts';
import { cases } from '../../random.ts';

const WORDS = ['notes', 'tidy', 'merge', 'lamps', 'places', 'people', 'siege', 'outline', 'draft', 'scene', 'map'];
const word = fc.constantFrom(...WORDS);
const phrase = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '));

const sentence = fc
  .tuple(
    fc.constantFrom('Handles', 'Use it for', 'It covers', 'Not for', 'Deckt ab:', 'It’s', '- Reads'),
    fc.array(
      fc.oneof(
        { weight: 9, arbitrary: word },
        { weight: 1, arbitrary: fc.constantFrom('“a map”', 'e.g. it', '(so', 'ß 😀') },
      ),
      {
        minLength: 3,
        maxLength: 24,
      },
    ),
    fc.constantFrom('.', '.', '.', '!', '?', '。'),
  )
  .map(([start, words, end]) => `${start} ${words.join(' ')}${end}`);

/** A description in one of the styles of YAML, from few sentences or many. */
const description = fc
  .tuple(
    fc.oneof(fc.array(sentence, { minLength: 1, maxLength: 4 }), fc.array(sentence, { minLength: 8, maxLength: 20 })),
    fc.constantFrom('plain', 'single', 'double', '>-', '>', '|', '|-'),
  )
  .map(([sentences, style]) => {
    if (/^[>|]/.test(style)) return [`${style}`, ...sentences.map((one) => `  ${one}`)].join('\n');
    const text = sentences.join(' ');
    if (style === 'single') return `'${text}'`;
    return style === 'double' ? JSON.stringify(text) : text.replaceAll(': ', ' ').replace(/^-/, 'It');
  });

const skill = fc
  .tuple(description, fc.option(description), fc.array(fc.tuple(phrase, fc.boolean()), { maxLength: 3 }))
  .map(([text, whenToUse, requests]) => ({ text, whenToUse, requests }));

const world = fc.record({
  skills: fc.array(skill, { minLength: 1, maxLength: 4 }),
  rivals: fc.array(fc.tuple(phrase, phrase, phrase), { maxLength: 2 }),
  clients: fc.constantFrom(['claude-code'], ['claude-code', 'vscode'], ['claude-code', 'roo-code', 'codex'], ['crush']),
  contextTokens: fc.constantFrom(2_000, 20_000, 154_000, 158_000, 172_000, 200_000),
  isCrlf: fc.boolean(),
});

type World = typeof world extends fc.Arbitrary<infer Value> ? Value : never;

const uriOf = (at: number): string => `file:///w/.claude/skills/skill-${at}/SKILL.md`;

function textsOf({ skills, rivals, clients, contextTokens, isCrlf }: World): ReadonlyMap<string, string> {
  const texts = new Map<string, string>([
    ['file:///w/skills.config.yaml', `agent_skills: {clients: [${clients}], context_tokens: ${contextTokens}}\n`],
  ]);
  for (const [at, { text, whenToUse }] of skills.entries()) {
    const more = whenToUse === null ? [] : [`when_to_use: ${whenToUse}`];
    const lines = [
      '---',
      `name: skill-${at}`,
      `description: ${text}`,
      ...more,
      'license: MIT',
      '---',
      '',
      'Say it.',
      '',
    ];
    texts.set(uriOf(at), lines.join(isCrlf ? '\r\n' : '\n').replaceAll(/\r?\n/g, isCrlf ? '\r\n' : '\n'));
  }
  for (const [at, [about, should, shouldNot]] of rivals.entries()) {
    const routing = `routing: {should: [${should}], should_not: [${shouldNot}]}`;
    texts.set(
      `file:///w/rival-${at}.skill.md`,
      `---\nname: rival-${at}\ndescription: ${about}\n${routing}\n---\n\nSay it.\n`,
    );
  }
  return texts;
}

function open({ skills }: World, texts: ReadonlyMap<string, string>): Analysis {
  const workspace = new Workspace();
  for (const [uri, text] of texts) workspace.apply({ kind: 'text', uri, text });
  for (const [at, { requests }] of skills.entries()) {
    const kept = requests.map(([request, should]) => ({ request, should }));
    workspace.apply({ kind: 'triggers', uri: uriOf(at), requests: kept });
  }
  return workspace.analysis;
}

/** The result of each routing case, by skill and request. */
function results({ skills, rivals }: World, analysis: Analysis): ReadonlyMap<string, boolean> {
  const found = new Map<string, boolean>();
  const add = (uri: string, request: string, should: boolean): unknown =>
    found.set(
      `${uri} ${should} ${request}`,
      route(analysis, uri, { request, should, span: { start: 0, end: 0 } }).holds,
    );
  for (const [at, { requests }] of skills.entries())
    for (const [request, should] of requests) add(uriOf(at), request, should);
  for (const at of rivals.keys()) {
    const file = analysis.file(`file:///w/rival-${at}.skill.md`);
    for (const { request, should } of file ? routingCases(file) : [])
      add(`file:///w/rival-${at}.skill.md`, request, should);
  }
  return found;
}

const scalarAt = (analysis: Analysis, uri: string, key: string): YamlScalar | undefined => {
  const node = findValue(analysis.file(uri)?.frontmatter.tree.root, key);
  return node?.kind === 'scalar' ? node : undefined;
};

const wordsAt = (analysis: Analysis, uri: string): readonly string[] =>
  ['description', 'when_to_use'].flatMap((key) =>
    unitsOf(stringOf(scalarAt(analysis, uri, key)) ?? '').map((one) => one.key),
  );

const isSubsequence = (short: readonly string[], long: readonly string[]): boolean => {
  let at = 0;
  for (const one of long) if (one === short[at]) at++;
  return at === short.length;
};

/** Returns whether a cause is a description that is too long. */
const isTooLong = ({ code, key }: Cause): boolean =>
  code === 'entry/cut' || (code === 'fields/length' && key === 'description');

function checkFix(given: World, texts: ReadonlyMap<string, string>, before: Analysis, fix: Fix, aim: string): void {
  const [edited, ...others] = fix.edits;
  assert.ok(edited && others.length === 0 && !fix.safe);
  const { uri, edits } = edited;
  const after = open(given, new Map([...texts, [uri, applyEdits(texts.get(uri) ?? '', edits)]]));
  const file = after.file(uri);
  assert.ok(file);
  if (aim === 'list') assert.deepEqual(overListings(after, uri), []);
  else {
    for (const { loaded, listed, cut } of targetRows(after, file).rows) {
      const reasons = [loaded, listed].flatMap((one) => (one.outcome === 'no' ? one.reasons : []));
      const cuts = cut.outcome === 'yes' ? cut.reasons : [];
      assert.ok(
        [...reasons, ...cuts].every(({ cause }) => cause === undefined || !isTooLong(cause)),
        fix.title,
      );
    }
    assert.ok([...(stringOf(scalarAt(after, uri, 'description')) ?? '')].length <= 1024);
  }
  const now = results(given, after);
  for (const [name, held] of results(given, before)) {
    if (name.startsWith(`${uri} `)) assert.equal(now.get(name), held, name);
    else if (held) assert.ok(now.get(name), name);
  }
  const [old, kept] = [wordsAt(before, uri), wordsAt(after, uri)];
  assert.ok(kept.length > 0 && kept.length < old.length && isSubsequence(kept, old), fix.title);
  assert.deepEqual(scalarAt(after, uri, 'license'), { ...scalarAt(after, uri, 'license'), value: 'MIT' });
  const style = (node: YamlScalar | undefined): string | undefined => node?.style;
  for (const key of ['description', 'when_to_use']) {
    const [was, is] = [scalarAt(before, uri, key), scalarAt(after, uri, key)];
    // A plain scalar is quoted if the kept text needs quotes.
    if (was?.style !== 'plain') assert.equal(style(is), style(was), `${key}: ${fix.title}`);
  }
  if (!fix.title.endsWith('(keeps all trigger words)')) return;
  const requests = given.skills.find((_, at) => uriOf(at) === uri)?.requests ?? [];
  for (const [request, should] of requests) {
    if (!should) continue;
    for (const { key } of unitsOf(request))
      if (old.includes(key)) assert.ok(kept.includes(key), `${key}: ${fix.title}`);
  }
}

describe('a fix that drops a sentence', () => {
  it('lets the clients list the skill in full, and changes no routing case', () => {
    let count = 0;
    fc.assert(
      fc.property(world, (given) => {
        const texts = textsOf(given);
        const analysis = open(given, texts);
        for (const uri of texts.keys()) {
          const file = analysis.file(uri);
          for (const finding of file ? check(file, analysis) : []) {
            const fixes = file ? shorteningFixes(analysis, file, finding) : [];
            assert.ok(fixes.length <= 3);
            assert.equal(new Set(fixes.map(({ edits }) => JSON.stringify(edits))).size, fixes.length);
            count += fixes.length;
            for (const fix of fixes) checkFix(given, texts, analysis, fix, finding.shortens ?? '');
          }
        }
      }),
      cases(300),
    );
    assert.ok(count > 10, `only ${count} fixes`);
  });
});
