import { targetRows } from '../../analysis/targets.ts';
import { nameWithVersion } from '../../clients/facts/clients.ts';
import type { ClientRow, Reason } from '../../clients/matrix/cell.ts';
import type { Draft } from '../../finding.ts';
import { listed } from '../../nearest.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { findClientKeys } from '../../vocabulary/agent-skill-clients.ts';
import type { Rule } from '../engine/rule.ts';
import { ABOUT_CLIENTS, badReasons, type ClientDefect, defectsOf, draftOf } from './client-findings.ts';

/** A part of the frontmatter that has no effect on the target clients. */
export const agentSkillIgnored: Rule = {
  name: 'agent-skill-ignored',
  severity: 'hint',
  ...ABOUT_CLIENTS,
  *check(file, analysis) {
    const { rows } = targetRows(analysis, file);
    for (const defect of defectsOf(file, rows, ({ ignored }) => badReasons(ignored.reasons))) {
      const { names, isOne, cause } = defect;
      const other = cause.text === undefined ? "the folder's name" : 'another name';
      const message = `${names} ${isOne ? 'uses' : 'use'} ${other} instead of this one.`;
      yield draftOf(file, defect, message, message);
    }
    for (const defect of defectsOf(file, rows, ({ chosen }) => badReasons(chosen.reasons))) {
      const why = [...new Set(defect.clients.flatMap(({ uncallable }) => uncallable?.note ?? []))].join('; ');
      const message = `Users of ${defect.names} cannot call this skill by its name: ${why}. Rename the skill.`;
      yield draftOf(file, defect, message, message);
    }
    const read = rows.filter(({ loaded }) => loaded.outcome !== 'no');
    for (const defect of defectsOf(file, read, ignoredKeys)) {
      const draft = draftOfKey(file, defect, read);
      if (draft) yield draft;
    }
  },
};

const ignoredKeys = ({ ignored }: ClientRow): readonly Reason[] =>
  ignored.outcome === 'yes' ? ignored.reasons.filter(({ isLoss }) => !isLoss) : [];

/**
 * Reports a key that no target client reads. A key that controls who may invoke the skill is reported even if only some
 * target clients do not read it.
 */
function draftOfKey(file: SkillFile, defect: ClientDefect, rows: readonly ClientRow[]): Draft | undefined {
  const { clients, isOne } = defect;
  const { key } = defect.cause;
  if (key === undefined || (key !== 'allowed-tools' && findClientKeys(key).length === 0)) return undefined;
  const versions = listed(clients.map(nameWithVersion));
  const effect = effectOf(file, key);
  if (effect !== undefined) {
    const message = `${versions} ${isOne ? 'does' : 'do'} not read \`${key}\`, so ${effect}.`;
    return draftOf(file, defect, message, message);
  }
  if (clients.length < rows.length || hasText(file, key, DEFAULTS.get(key))) return undefined;
  const message = `\`${key}\` has no effect here: ${versions} ${isOne ? 'does' : 'do'} not read it.`;
  return draftOf(file, defect, message, message);
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
