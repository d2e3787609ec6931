import { listedLength } from '../agent-skills/conditions.ts';
import { whatOf } from '../agent-skills/sentences.ts';
import { subjectOf } from '../agent-skills/subject.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import type { Client } from '../vocabulary/client.ts';
import {
  type ClientDefect,
  defectsOf,
  draftOf,
  isJudged,
  namesOf,
  readRows,
} from './common/agent-skill/client-findings.ts';
import type { Rule } from './rule.ts';

/** A description or a name of which the model sees only a part. */
export const agentSkillCut: Rule = {
  name: 'agent-skill-cut',
  severity: 'warning',
  evidence: {
    kind: 'vendor',
    source: "the clients' source code and documents, `server/src/vocabulary/clients/`",
    checked: '2026-11-23',
  },
  dialects: ['agent-skill'],
  readsBroken: true,
  isDecided: (_, analysis) => !analysis.partial,
  *check(file, analysis) {
    const rows = readRows(file, analysis)?.rows ?? [];
    const lost = defectsOf(rows, ({ listed }) =>
      listed.outcome === 'no' ? [] : listed.reasons.filter(({ bad }) => bad),
    );
    for (const defect of lost) {
      if (!isJudged(file, defect.cause)) continue;
      const does = (names: string, isOne: boolean) =>
        `${names} ${isOne ? 'loads' : 'load'} the skill without its description`;
      const one = defect.clients.length === 1;
      const message = `${does(namesOf(defect.clients), one)}, so the model cannot tell when to use it. ${whatOf(defect.cause)}.`;
      yield draftOf(file, defect, message, (names, isOne) => `${does(names, isOne)}.`);
    }
    for (const defect of defectsOf(rows, ({ cut }) => cut.reasons.filter(({ bad }) => bad))) {
      if (!isJudged(file, defect.cause)) continue;
      yield draftOf(file, defect, messageOf(file, defect), (names, isOne) => `${names} ${isOne ? 'cuts' : 'cut'} it.`);
    }
  },
};

function messageOf(file: SkillFile, { cause, clients }: ClientDefect): string {
  const isName = cause.kind === 'name_too_long';
  const amounts = [...new Set(clients.map((client) => shownBy(client, isName)))].sort((a, b) => a - b);
  const { agentSkill } = file.summary;
  const [limit] = clients.map(({ limits }) => limits.description?.value ?? {});
  const written = isName || !agentSkill ? undefined : listedLength(limit ?? {}, subjectOf(file.uri, agentSkill));
  const does = `${namesOf(clients)} ${clients.length === 1 ? 'cuts' : 'cut'} this`;
  const size = written === undefined ? '' : ` It has ${written.toLocaleString('en')}.`;
  return `${does}: the model sees ${amounts.map((amount) => amount.toLocaleString('en')).join(' or ')} characters.${size} ${whatOf(cause)}; say what matters first, or shorten it.`;
}

function shownBy({ limits }: Client, isName: boolean): number {
  const { listing, max } = (isName ? limits.name : limits.description)?.value ?? {};
  return listing ?? max ?? 0;
}
