import type { Analysis } from '../../analysis/analysis.ts';
import { findInvalidTool } from '../../analysis/client-tools.ts';
import { replaceName } from '../../analysis/name-fixes.ts';
import type { Draft } from '../../finding.ts';
import { findValue, listItems } from '../../languages/yaml/node.ts';
import { didYouMean, nearestNames } from '../../nearest.ts';
import { namesOf } from '../../skill/contract.ts';
import { toolMentionsByName } from '../../skill/mentions.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { AUTHORING_TOOLS } from '../../vocabulary/known-names.ts';
import type { Catalog } from '../../workspace/catalog.ts';
import type { Rule } from '../engine/rule.ts';
import { misspeltTools } from '../skill-md/tools.ts';
import { unknownNames } from './unknown-names.ts';

/**
 * Reports a tool that a skill or a profile uses but that the catalog does not declare. In a `SKILL.md`, whose clients
 * and servers may have more tools, the rule reports only names that are clearly misspelt.
 */
export const unknownTool: Rule = {
  name: 'unknown-tool',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 5' },
  dialects: ['composer', 'contract', 'agent-skill', 'catalog', 'client-file'],
  *check(file, analysis) {
    if (file.dialect === 'agent-skill' || file.dialect === 'client-file') return yield* misspeltTools(file, analysis);
    const catalog = analysis.catalogOf(file.uri);
    // A contract in a file that was not read yet may define the tool.
    if (!catalog.toolsKnown || analysis.partial) return;
    if (file.dialect === 'catalog') yield* ofProfiles(analysis, file, catalog);
    else
      yield* unknownNames(analysis, file, {
        key: 'tools',
        mentions: toolMentionsByName(file),
        isKnown: (name) => isKnown(analysis, catalog, name),
        known: () => knownTools(analysis, catalog),
        message: (name, suggestion) => invalidMessage(analysis, file.uri, name) ?? messageOf(name, suggestion),
        catalogItem: (name) => `{name: ${name}, description: "What ${name} does", input_schema: {}, operation: READ}`,
      });
  },
};

const messageOf = (name: string, suggestion: string): string =>
  `Unknown tool \`${name}\`.${suggestion || ' Add it to `tools` in the catalog.'}`;

/** Returns the message about a tool that a server has, but whose definition is invalid; undefined for other tools. */
function invalidMessage(analysis: Analysis, uri: string, name: string): string | undefined {
  const invalid = findInvalidTool(analysis, uri, name);
  return (
    invalid &&
    `The server \`${invalid.server}\` defines \`${name}\` wrongly: ${invalid.problem}. Correct it in the server, and pull again.`
  );
}

const isKnown = (analysis: Analysis, catalog: Catalog, name: string): boolean =>
  analysis.isKnownTool(catalog, name) || AUTHORING_TOOLS.includes(name);

const knownTools = (analysis: Analysis, catalog: Catalog): readonly string[] => [
  ...catalog.tools.keys(),
  ...analysis.graph.tools,
];

/** Reports unknown tools in the profiles of a catalog. */
function* ofProfiles(analysis: Analysis, file: SkillFile, catalog: Catalog): Iterable<Draft> {
  const profiles = listItems(findValue(file.frontmatter.tree.root, 'profiles'));
  for (const { name, span } of profiles.flatMap((profile) => namesOf(findValue(profile, 'tools')))) {
    if (isKnown(analysis, catalog, name)) continue;
    const near = nearestNames(name, knownTools(analysis, catalog));
    yield {
      span,
      message: messageOf(name, didYouMean(near)),
      fixes: replaceName(file, [span], near),
    };
  }
}
