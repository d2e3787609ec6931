import { removeFromList } from '../../analysis/removals.ts';
import { groupBy, toolMentionsByName } from '../../skill/mentions.ts';
import { sliceOf } from '../../text.ts';
import { type Rule, SKILLS } from '../engine/rule.ts';

/** The largest number of tools that are checked. The whole body is searched for each tool. */
const MAX_TOOLS = 500;

/**
 * Reports a declared tool that the body does not name although it names other tools. A body that names no tool leaves
 * the choice to the planner.
 */
export const unusedTool: Rule = {
  name: 'unused-tool',
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
    for (const [name, [{ span }]] of [...groupBy(contract.tools, (tool) => tool.name)].slice(0, MAX_TOOLS)) {
      // Any mention counts, also in code or in a template.
      if (named.has(name) || prose.includes(name)) continue;
      // `unknown-tool` reports an unknown tool.
      if (catalog.toolsKnown && !analysis.isKnownTool(catalog, name)) continue;
      yield {
        span,
        message: `The body refers to other tools, but not to \`${name}\`. Refer to it with \`#tool:${name}\`, or remove it from \`tools\`.`,
        tag: 'unnecessary',
        fixes: removeFromList(file, 'tools', span, `Remove \`${name}\` from \`tools\``),
      };
    }
  },
};
