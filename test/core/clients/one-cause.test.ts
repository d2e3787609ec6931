/** One defect of a file has one finding, for all choices of clients, at one place, with a fix that removes it. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import { clients } from '../../../server/src/clients/facts/clients.ts';
import type { Finding, Fix } from '../../../server/src/finding.ts';
import { check } from '../../../server/src/rules/engine/check.ts';
import { applyEdits, endOfLine } from '../../../server/src/text.ts';
import { extended } from '../../extended.ts';
import { type MarkedPlace, ODD_FILES, type OddFile } from './odd-files.ts';

const IDS = clients.map(({ id }) => id);
/** Clients that read odd files in different ways. */
const FEW = ['claude-ai', 'vscode', 'kimi-cli'];

/** No client, each client, some pairs, and all clients. */
const choicesOf = (ids: readonly string[]): readonly (readonly string[])[] => [
  [],
  ...ids.map((id) => [id]),

  ['zed', 'vscode'],
  IDS,
];

function open(path: string, text: string): Workspace {
  const workspace = new Workspace();
  // The wording of the descriptions is not the defect.
  workspace.apply({ kind: 'severities', severities: { 'unclear-description': 'off' } });
  workspace.apply({ kind: 'text', uri: `file:///w/${path}`, text });
  return workspace;
}

function findingsFor(workspace: Workspace, path: string, chosen: readonly string[]): readonly Finding[] {
  workspace.apply({ kind: 'clients', clients: chosen });
  const file = workspace.analysis.file(`file:///w/${path}`);
  assert.ok(file, path);
  return check(file, workspace.analysis);
}

const sentencesOf = (message: string): readonly string[] => message.split(/(?<=[.?])\s+(?=[A-Z`])/);

const NAMES = clients.map(({ name }) => name).sort((a, b) => b.length - a.length);
const SINGULAR = /^(?:does not|loads|cuts|uses|shows)\b/;
const PLURAL = /^(?:do not|load|cut|use|show)\b/;

/** Checks that the verb after the names of clients agrees with their number, and returns the clients. */
function clientsIn(sentence: string): readonly string[] {
  const found: string[] = [];
  let rest = sentence;
  for (;;) {
    const name = NAMES.find((one) => rest.startsWith(one));
    if (name === undefined) break;
    found.push(name);
    rest = rest
      .slice(name.length)
      .replace(/^ \(as of [^)]*\)/, '')
      .replace(/^(?:, | and )/, '')
      .trimStart();
  }
  if (found.length === 0) return [];
  assert.match(rest.replace(/^probably /, ''), found.length === 1 ? SINGULAR : PLURAL, sentence);
  if (found.length === 1) assert.doesNotMatch(sentence, /\band show no\b/, sentence);
  else assert.doesNotMatch(sentence, /\band shows no\b/, sentence);
  return found;
}

/** Checks that a message says what is wrong once, and names each client once. */
function checkMessage({ message }: Finding): void {
  const sentences = sentencesOf(message);
  assert.equal(new Set(sentences).size, sentences.length, message);
  const named = sentences.flatMap(clientsIn);
  assert.equal(new Set(named).size, named.length, message);
  assert.doesNotMatch(message, /undefined|\w\.\.|: \.|`` /, message);
}

/** Returns the text after a fix of the file itself; undefined for a fix that moves files. */
const textAfter = ({ text }: OddFile, { edits, moves }: Fix): string | undefined =>
  moves || edits.length === 0
    ? undefined
    : applyEdits(
        text,
        edits.flatMap((one) => one.edits),
      );

/** Checks the findings of a file for some choices of clients. */
function checkFile(file: OddFile, ids: readonly string[]): void {
  const { path, text, places, noFix } = file;
  const workspace = open(path, text);
  const fixedTexts = new Map<string, Workspace>();
  const isRequired = places.some(({ isOfClient }) => !isOfClient);
  let most = 0;
  for (const chosen of choicesOf(ids)) {
    const found = findingsFor(workspace, path, chosen);
    const shown = found.map((one) => `${one.rule} ${one.span.start}-${one.span.end} ${one.message}`).join('\n');
    const where = `${chosen.length > 2 ? 'all clients' : chosen.join(', ') || 'no client'}:\n${shown}\n`;
    most = Math.max(most, found.length);
    assert.ok(found.length <= 1 && (found.length === 1 || !isRequired), where);
    const [finding] = found;
    if (!finding) continue;
    checkMessage(finding);
    assert.ok(
      places.some((place) => isAt(file, place, finding)),
      `${where}${JSON.stringify(places)}`,
    );
    assert.equal(finding.fixes.length === 0, noFix !== undefined, `${where}fixes`);
    for (const fix of chosen.length === 2 ? [] : finding.fixes) {
      const fixedText = textAfter(file, fix);
      if (fixedText === undefined) continue;
      const fixed = fixedTexts.get(fixedText) ?? open(path, fixedText);
      fixedTexts.set(fixedText, fixed);
      const left = findingsFor(fixed, path, chosen).filter(({ message }) => !message.includes('placeholder'));
      assert.deepEqual(
        left.map(({ rule, message }) => `${rule} ${message}`),
        [],
        `${where}after "${fix.title}":\n${fixedText}`,
      );
    }
  }
  assert.equal(most, places.length, 'the number of findings for some choice');
}

/** Returns whether a finding is at a marked place. The end of a finding with several lines is not compared. */
function isAt({ text }: OddFile, { start, end, rule, isOfClient }: MarkedPlace, finding: Finding): boolean {
  const isRule = rule === finding.rule || (isOfClient && finding.rule === 'agent-skill-cut');
  const lineEnd = endOfLine(text, finding.span.start);
  const isEmpty = text.slice(start, end).trim() === '' || end > lineEnd;
  return isRule && finding.span.start === start && (isEmpty || Math.min(finding.span.end, lineEnd) === end);
}

describe('one defect has one finding', () => {
  for (const file of ODD_FILES) it(file.title, () => checkFile(file, FEW));
});

describe('one defect has one finding for every client', () => {
  for (const file of ODD_FILES) it(file.title, extended, () => checkFile(file, IDS));
});
