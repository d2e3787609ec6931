import { cutReasons } from '../../analysis/not-listed.ts';
import { targetRows } from '../../analysis/targets.ts';
import { describeCause, explanationOf } from '../../clients/matrix/causes.ts';
import { formatNumber } from '../../format-amounts.ts';
import type { Rule } from '../engine/rule.ts';
import {
  ABOUT_CLIENTS,
  badReasons,
  type ClientDefect,
  clauseAbout,
  type Does,
  defectsOf,
  draftOf,
  shorteningOf,
} from './client-findings.ts';

/** A description or a name that a client shows to the model only in part. */
export const agentSkillCut: Rule = {
  name: 'agent-skill-cut',
  severity: 'warning',
  ...ABOUT_CLIENTS,
  readsBroken: true,
  *check(file, analysis) {
    const { rows } = targetRows(analysis, file);
    for (const defect of defectsOf(file, rows, (row) => badReasons(cutReasons.whole(row)))) {
      const does = `${clauseAbout(defect, LOADS_WITHOUT)}, so the model does not know when to use it`;
      yield draftOf(file, defect, `${does}. ${explanationOf(defect.cause)}`, LOADS_WITHOUT);
    }
    for (const defect of defectsOf(file, rows, (row) => badReasons(cutReasons.part(row))))
      yield draftOf(file, defect, messageOf(defect), CUTS, shorteningOf(defect));
  },
};

const LOADS_WITHOUT: Does = {
  one: 'loads the skill without its description',
  many: 'load the skill without its description',
};
const CUTS: Does = { one: 'cuts it', many: 'cut it' };
const CUTS_THIS: Does = { one: 'cuts this', many: 'cut this' };

function messageOf(defect: ClientDefect): string {
  const { cause, reasons } = defect;
  const cuts = reasons.flatMap((reason) => reason.cause?.cut ?? []);
  const amounts = [...new Set(cuts.map(({ to }) => to))].sort((a, b) => a - b).map(formatNumber);
  const whole = Math.max(0, ...cuts.map(({ of }) => of));
  const seen = `the model sees ${amounts.join(' or ')} of ${formatNumber(whole)} characters`;
  if (cause.code === 'entry/lines') return `${clauseAbout(defect, CUTS_THIS)}: ${seen}. ${explanationOf(cause)}`;
  return `${clauseAbout(defect, CUTS_THIS)}: ${seen}. ${describeCause(cause)}: shorten it, or put the most important words first.`;
}
