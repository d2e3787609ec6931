import { sliceOf } from '../text.ts';

import { toolMentionsByName } from './common/mentions.ts';
import { removeFromList } from './common/removal.ts';
import { type Rule, SKILLS } from './rule.ts';

/** The whole body is searched for each. */
const MAX_TOOLS = 500;

/**
 * A declared tool that the body never names although it names others. A body that names no tool at all leaves the
 * choice to the planner, and that is no defect.
 */
export const unusedTool: Rule = {
  name: 'unused-tool',
  code: 'unused-tool',
  severity: 'hint',
  evidence: { kind: 'heuristic', source: 'docs/format.md, section 5, names the references' },
  dialects: SKILLS,
  *check(file, analysis) {
    const { body, contract, text } = file;
    if (!body || body.scanned.length > 0) return;
    const named = toolMentionsByName(file);
    if (named.size === 0) return;
    const catalog = analysis.catalogOf(file.uri);
    const prose = sliceOf(text, body.span);
    for (const { name, span } of contract.tools.slice(0, MAX_TOOLS)) {
      // Any mention counts, in code or in a template too: whoever writes the name knows of the tool.
      if (named.has(name) || prose.includes(name)) continue;
      // A name that is no tool's is reported as that (`unknown-tool`).
      if (catalog.toolsKnown && !analysis.isKnownTool(catalog, name)) continue;
      yield {
        span,
        message: `The body never names \`${name}\`, though it names other tools. Reference it as \`#tool:${name}\` where it is used, or remove it from \`tools\`.`,
        tag: 'unnecessary',
        fixes: removeFromList(file, 'tools', span, `Remove \`${name}\` from \`tools\``),
      };
    }
  },
};
