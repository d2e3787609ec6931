/** The skill that a call names, and why none is found. */
import type { Analysis } from '../analysis/analysis.ts';
import { didYouMean, inWords, nearestNames } from '../nearest.ts';
import type { IndexedSkill } from '../workspace/workspace-index.ts';
import { isOfAccount, skillsNamed } from '../workspace/workspace-index.ts';
import { type Refusal, refusal } from './refusal.ts';

/** By name and version. Of a name in the workspace and in the account that of the workspace is meant. */
export function findSkill(analysis: Analysis, name: string, version: string | undefined): IndexedSkill | Refusal {
  const { graph } = analysis;
  const all = skillsNamed(graph, name);
  const own = all.filter(({ uri }) => !isOfAccount(graph, uri));
  const named = own.length > 0 ? own : all;
  const [found, ...more] = version === undefined ? named : named.filter((one) => one.summary.version === version);
  if (found && more.length === 0) return found;
  const versions = [...new Set(named.map(({ summary }) => summary.version ?? 'no version'))];
  if (found) {
    const by = versions.length === named.length ? 'its `version`' : 'its file';
    const message = `Several files hold the skill \`${name}\`, with ${inWords(versions, 'and')}: name one by ${by}.`;
    return refusal('ambiguous-skill', message);
  }
  if (named.length > 0) {
    return refusal(
      'no-such-skill',
      `The skill \`${name}\` has no version \`${version}\`: it has ${inWords(versions, 'and')}.`,
    );
  }
  const near = didYouMean(nearestNames(name, [...graph.byName.keys()], 1));
  return refusal('no-such-skill', `There is no skill \`${name}\`.${near} \`list_skills\` lists those that are there.`);
}
