import { deniedNetwork } from '../abilities/network.ts';
import { asksForCalls } from '../workspace/neighbours.ts';
import type { Rule } from './rule.ts';

/** A script that calls the network beside a `compatibility` that says that there is none. */
export const undeclaredNetwork: Rule = {
  name: 'undeclared-network',
  severity: 'hint',
  evidence: { kind: 'heuristic', source: 'calls in scripts, by their form' },
  dialects: ['agent-skill'],
  isDecided: (file, analysis) => !asksForCalls(file) || analysis.networkCalls(file.uri) !== undefined,
  *check(file, analysis) {
    const denied = file.derive(deniedNetwork);
    // Undefined until a host has looked.
    const [first, ...others] = (denied && analysis.networkCalls(file.uri)) ?? [];
    if (!denied || !first) return;
    const more =
      others.length === 0
        ? ''
        : `, and ${others.length} more ${others.length === 1 ? 'script calls' : 'scripts call'} out`;
    yield {
      span: denied.span,
      message: `\`${denied.words}\` is not so: \`${first.path}\` calls \`${first.by}\` in line ${first.line + 1}${more}. Where there is no network the skill fails, and who trusts the sentence is misled. Say what is fetched and from where, or take the call out.`,
    };
  },
};
