import { deniedNetwork } from '../../abilities/network.ts';
import { needsNetworkScan } from '../../skill-folder/referenced-files.ts';
import type { Rule } from '../engine/rule.ts';

/** Reports a script that uses the network although `compatibility` says that the skill does not. */
export const undeclaredNetwork: Rule = {
  name: 'undeclared-network',
  severity: 'hint',
  evidence: { kind: 'heuristic', source: 'patterns of calls in scripts' },
  dialects: ['agent-skill'],
  isDecided: (file, analysis) => !needsNetworkScan(file) || analysis.networkCalls(file.uri) !== undefined,
  *check(file, analysis) {
    const denied = file.derive(deniedNetwork);
    // Undefined until a host has read the scripts.
    const [first, ...others] = (denied && analysis.networkCalls(file.uri)) ?? [];
    if (!denied || !first) return;
    const more =
      others.length === 0
        ? ''
        : `, and ${others.length} more ${others.length === 1 ? 'script uses' : 'scripts use'} the network`;
    yield {
      span: denied.span,
      message: `\`${denied.words}\` is wrong: \`${first.path}\` calls \`${first.by}\` on line ${first.line + 1}${more}. Say what is fetched and from where, or remove the call.`,
    };
  },
};
