import type { Analysis } from '../../analysis/analysis.ts';
import { targetRows } from '../../analysis/targets.ts';
import type { Client } from '../../clients/facts/client.ts';
import { nameWithVersion } from '../../clients/facts/clients.ts';
import type { ClientRow, Reason } from '../../clients/matrix/cell.ts';
import { stepsOf } from '../../clients/matrix/prediction.ts';
import type { Draft, Fix } from '../../finding.ts';
import { listed } from '../../nearest.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { findClientKeys } from '../../vocabulary/agent-skill-clients.ts';
import { folderOf } from '../../vocabulary/dialect.ts';
import { clauseOf } from '../engine/merge-findings.ts';
import type { Rule } from '../engine/rule.ts';
import { ABOUT_CLIENTS, badReasons, type ClientDefect, clauseAbout, defectsOf, draftOf } from './client-findings.ts';

/** A part of the frontmatter that has no effect on the target clients. */
export const agentSkillIgnored: Rule = {
  name: 'agent-skill-ignored',
  severity: 'hint',
  ...ABOUT_CLIENTS,
  *check(file, analysis) {
    const { rows } = targetRows(analysis, file);
    for (const defect of defectsOf(file, rows, ({ ignored }) => badReasons(ignored.reasons))) {
      const other = defect.cause.text === undefined ? "the folder's name" : 'another name';
      const does = { one: `uses ${other} instead of this one`, many: `use ${other} instead of this one` };
      yield draftOf(file, defect, `${clauseAbout(defect, does)}.`, does);
    }
    for (const defect of defectsOf(file, rows, ({ chosen }) => badReasons(chosen.reasons))) {
      const why = [...new Set(defect.clients.flatMap(({ uncallable }) => uncallable?.note ?? []))].join('; ');
      const users = `Users of ${listed(defect.clients.map(({ name }) => name))}`;
      const does = 'cannot call this skill by its name';
      const message = `${users} ${does}: ${why}. Rename the skill.`;
      yield draftOf(file, defect, message, { one: does, many: does }, { names: [users] });
    }
    const read = rows.filter(({ loaded }) => loaded.outcome !== 'no');
    for (const defect of defectsOf(file, read, ignoredKeys)) {
      const draft = draftOfKey(file, analysis, defect, read);
      if (draft) yield draft;
    }
  },
};

const ignoredKeys = ({ ignored, listed }: ClientRow): readonly Reason[] =>
  ignored.outcome === 'yes'
    ? ignored.reasons.filter(({ cause, isLoss }) => !isLoss && !(isHidden(listed) && cause?.key === HIDING))
    : [];

/** The key that removes a skill from the lists of most clients. */
const HIDING = 'disable-model-invocation';

/** Returns whether `agents/openai.yaml` hides the skill from the model, so that no other key is needed. */
const isHidden = ({ reasons }: ClientRow['listed']): boolean =>
  reasons.some(({ cause }) => cause?.code === 'admit/side-file');

/**
 * Reports a key that no target client reads. A key that controls who may invoke the skill is reported even if only some
 * target clients do not read it.
 */
function draftOfKey(
  file: SkillFile,
  analysis: Analysis,
  defect: ClientDefect,
  rows: readonly ClientRow[],
): Draft | undefined {
  const { clients } = defect;
  const { key } = defect.cause;
  if (key === undefined || (key !== 'allowed-tools' && findClientKeys(key).length === 0)) return undefined;
  const names = clients.map(nameWithVersion);
  const effect = effectOf(file, key);
  if (effect !== undefined) {
    const does = { one: `does not read \`${key}\`, so ${effect}`, many: `do not read \`${key}\`, so ${effect}` };
    const fixes = key === HIDING && clients.some(readsSettings) ? settingsFor(file, analysis) : [];
    return draftOf(file, defect, `${clauseOf(names, does)}.`, does, { names, ...(fixes.length > 0 && { fixes }) });
  }
  if (clients.length < rows.length || hasText(file, key, DEFAULTS.get(key))) return undefined;
  const does = { one: 'does not read it', many: 'do not read it' };
  return draftOf(file, defect, `\`${key}\` has no effect here: ${clauseOf(names, does)}.`, does, { names });
}

const readsSettings = (client: Client): boolean => stepsOf(client).admit.openAi === true;

/** Returns the fix that creates the file with which Codex hides the skill; none if the file exists. */
function settingsFor({ uri }: SkillFile, analysis: Analysis): readonly Fix[] {
  const target = `${folderOf(uri)}/agents/openai.yaml`;
  if (analysis.file(target)) return [];
  const createsFile = { uri: target, text: 'policy:\n  allow_implicit_invocation: false\n' };
  return [{ title: 'Create `agents/openai.yaml`, which hides it in Codex', safe: false, edits: [], createsFile }];
}

/** The keys with the values that clients use without these keys, so that nothing is lost. */
const DEFAULTS: ReadonlyMap<string, string> = new Map([
  ['user-invocable', 'true'],
  ['disable-model-invocation', 'false'],
]);

/**
 * Returns the consequence if a client does not read a key that restricts invocation; undefined for other keys and
 * values.
 */
function effectOf(file: SkillFile, key: string): string | undefined {
  if (key === 'disable-model-invocation' && hasText(file, key, 'true')) return 'the model can still choose this skill';
  return key === 'user-invocable' && hasText(file, key, 'false') ? 'users can still invoke this skill' : undefined;
}

const hasText = ({ summary: { agentSkill } }: SkillFile, key: string, text?: string): boolean =>
  agentSkill?.keys.some((one) => one.name === key && one.text === text) === true;
