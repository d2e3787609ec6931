import { failureMessage, MAX_CHECKED_CASES, route, routingCases } from '../../analysis/routing.ts';
import { fixHere } from '../../finding.ts';
import { appendItem, formatScalar } from '../../languages/yaml/edit.ts';
import { type Rule, SKILLS } from '../engine/rule.ts';

/** Reports a routing case whose request chooses the wrong skill. */
export const routingFails: Rule = {
  name: 'routing-fails',
  severity: 'warning',
  evidence: { kind: 'spec', source: 'docs/matching.md, "Routing cases"' },
  dialects: SKILLS,
  isDecided: (_, analysis) => !analysis.partial,
  *check(file, analysis) {
    if (analysis.partial) return;
    const { root } = file.frontmatter.tree;
    for (const routing of routingCases(file).slice(0, MAX_CHECKED_CASES)) {
      const routed = route(analysis, file.uri, routing);
      if (routed.holds || !routed.isApplicable) continue;
      const { request, should, span } = routing;
      const place = routed.winner && analysis.file(routed.winner.id);
      const advice = should
        ? routed.leftOut === undefined
          ? ' Add the missing words to `trigger_phrases` or to the description.'
          : ''
        : ' Say in the description what this skill is not for, or add the words to the other skill.';
      yield {
        span,
        message: `${failureMessage(routing, routed)}${advice}`,
        related:
          place?.contract.name && place.uri !== file.uri
            ? [{ uri: place.uri, span: place.contract.name.span, message: `\`${routed.winner?.name}\` is chosen` }]
            : [],
        fixes:
          should && routed.leftOut === undefined && root?.kind === 'map'
            ? fixHere(
                file,
                `Add the trigger phrase ‘${request}’`,
                appendItem(file.text, root, 'trigger_phrases', formatScalar(request)),
              )
            : [],
      };
    }
  },
};
