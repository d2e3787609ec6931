import type { ClientRow, Reason } from '../agent-skills/cell.ts';
import { subjectOf } from '../agent-skills/subject.ts';
import { targetRows } from '../analysis/targets.ts';
import type { Draft } from '../finding.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { findClientKeys } from '../vocabulary/agent-skill-clients.ts';
import {
  ABOUT_CLIENTS,
  badReasons,
  type ClientDefect,
  defectsOf,
  draftOf,
} from './common/agent-skill/client-findings.ts';
import type { Rule } from './rule.ts';

/** What is written and has no effect on the clients that the skill is for. */
export const agentSkillIgnored: Rule = {
  name: 'agent-skill-ignored',
  severity: 'hint',
  ...ABOUT_CLIENTS,
  *check(file, analysis) {
    const { rows } = targetRows(analysis, file);
    for (const defect of defectsOf(file, rows, ({ ignored }) => badReasons(ignored.reasons))) {
      const { names, isOne, cause } = defect;
      const other = cause.kind === 'name_not_folder' ? "the folder's name" : 'another name';
      const told = `${names} ${isOne ? 'takes' : 'take'} ${other} in place of this one.`;
      yield draftOf(file, defect, told, told);
    }
    const read = rows.filter(({ loaded }) => loaded.outcome !== 'no');
    for (const defect of defectsOf(file, read, ignoredKeys)) {
      const draft = draftOfKey(file, defect, read);
      if (draft) yield draft;
    }
  },
};

const ignoredKeys = ({ ignored }: ClientRow): readonly Reason[] =>
  ignored.outcome === 'yes' ? ignored.reasons.filter(({ bad }) => !bad) : [];

/** A key that no target reads, and one that changes who chooses the skill where only some do. */
function draftOfKey(file: SkillFile, defect: ClientDefect, rows: readonly ClientRow[]): Draft | undefined {
  const { clients, names, isOne } = defect;
  const { key } = defect.cause;
  if (key === undefined || (key !== 'allowed-tools' && findClientKeys(key).length === 0)) return undefined;
  const effect = effectOf(file, key);
  if (effect !== undefined) {
    const told = `${names} ${isOne ? 'does' : 'do'} not read \`${key}\`, so ${effect}.`;
    return draftOf(file, defect, told, told);
  }
  if (clients.length < rows.length) return undefined;
  const told = `${isOne ? names : `None of ${names}`} ${isOne ? 'does not read' : 'reads'} \`${key}\`, so it has no effect.`;
  return draftOf(file, defect, told, told);
}

/** What happens all the same where the key is not read. */
function effectOf(file: SkillFile, key: string): string | undefined {
  const { agentSkill } = file.summary;
  const written = agentSkill && subjectOf(file.uri, agentSkill);
  const is = (word: string) => written?.facts.keys.some(({ name, text }) => name === key && text === word);
  if (key === 'disable-model-invocation' && is('true')) return 'the model still chooses this skill by itself';
  return key === 'user-invocable' && is('false') ? 'people can still call this skill' : undefined;
}
