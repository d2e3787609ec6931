import type { ClientRow, Reason } from '../agent-skills/cell.ts';
import { subjectOf } from '../agent-skills/subject.ts';
import type { Draft } from '../finding.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { findClientKeys } from '../vocabulary/agent-skill-lookup.ts';
import {
  type ClientDefect,
  defectsOf,
  draftOf,
  isJudged,
  namesOf,
  readRows,
} from './common/agent-skill/client-findings.ts';
import type { Rule } from './rule.ts';

/** What is written and has no effect on the clients that the skill is for. */
export const agentSkillIgnored: Rule = {
  name: 'agent-skill-ignored',
  severity: 'hint',
  evidence: {
    kind: 'vendor',
    source: "the clients' source code and documents, `server/src/vocabulary/clients/`",
    checked: '2026-11-23',
  },
  dialects: ['agent-skill'],
  isDecided: (_, analysis) => !analysis.partial,
  *check(file, analysis) {
    const rows = readRows(file, analysis)?.rows ?? [];
    const names = defectsOf(rows, ({ ignored }) => ignored.reasons.filter(({ bad }) => bad));
    for (const defect of names) {
      if (!isJudged(file, defect.cause)) continue;
      const other = defect.cause.kind === 'name_not_folder' ? "the folder's name" : 'another name';
      const does = (clients: string, isOne: boolean) =>
        `${clients} ${isOne ? 'takes' : 'take'} ${other} in place of this one`;
      const one = defect.clients.length === 1;
      yield draftOf(
        file,
        defect,
        `${does(namesOf(defect.clients), one)}.`,
        (clients, isOne) => `${does(clients, isOne)}.`,
      );
    }
    const read = rows.filter(({ loaded }) => loaded.outcome !== 'no');
    for (const defect of defectsOf(read, ignoredKeys)) {
      const draft = draftOfKey(file, defect, read);
      if (draft) yield draft;
    }
  },
};

const ignoredKeys = ({ ignored }: ClientRow): readonly Reason[] =>
  ignored.outcome === 'yes' ? ignored.reasons.filter(({ bad }) => !bad) : [];

/** A key that no target reads, and one that changes who chooses the skill where only some do. */
function draftOfKey(file: SkillFile, defect: ClientDefect, rows: readonly ClientRow[]): Draft | undefined {
  const { cause, clients } = defect;
  const { key } = cause;
  if (key === undefined || (key !== 'allowed-tools' && findClientKeys(key).length === 0)) return undefined;
  const names = namesOf(clients);
  const isOne = clients.length === 1;
  const effect = effectOf(file, key);
  if (effect !== undefined) {
    const told = `${names} ${isOne ? 'does' : 'do'} not read \`${key}\`, so ${effect}.`;
    return draftOf(file, defect, told, () => told);
  }
  if (clients.length < rows.length) return undefined;
  const told = `${isOne ? names : `None of ${names}`} ${isOne ? 'does not read' : 'reads'} \`${key}\`, so it has no effect.`;
  return draftOf(file, defect, told, () => told);
}

/** What happens all the same where the key is not read. */
function effectOf(file: SkillFile, key: string): string | undefined {
  const { agentSkill } = file.summary;
  const written = agentSkill && subjectOf(file.uri, agentSkill);
  const is = (word: string) => written?.facts.keys.some(({ name, text }) => name === key && text === word);
  if (key === 'disable-model-invocation' && is('true')) return 'the model still chooses this skill by itself';
  return key === 'user-invocable' && is('false') ? 'people can still call this skill' : undefined;
}
