import { sliceOf } from '../text.ts';
import { groupBy, toolMentionsByName } from './common/mentions.ts';
import { removeFromList } from './common/removals.ts';
import { type Rule, SKILLS } from './rule.ts';

/** More tools are not checked: for each, the whole body is searched. */
const MAX_TOOLS = 500;

/** A declared tool that the body never names although it names others. A body may leave the choice of tools to the planner. */
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
      // `unknown-tool` reports a name that is no tool's.
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
