import type { Analysis } from '../analysis/analysis.ts';
import type { Draft } from '../finding.ts';
import { didYouMean, nearestNames } from '../nearest.ts';
import type { Named } from '../skill/contract.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { AUTHORING_TOOLS } from '../vocabulary/known-names.ts';

import { type Mention, toolMentionsByName } from './common/mentions.ts';
import { addToCatalog, declareIn, replaceName } from './common/naming-fixes.ts';
import { removeFromList, removeReference } from './common/removal.ts';
import { fixHere, type Rule, SKILLS } from './rule.ts';

/** A tool that is in no catalog: one finding a name, where it is declared, else where it is first named. */
export const unknownTool: Rule = {
  name: 'unknown-tool',
  code: 'unknown-tool',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 5' },
  dialects: SKILLS,
  *check(file, analysis) {
    const catalog = analysis.catalogOf(file.uri);
    // A tool may be a contract in a file that is not read yet.
    if (!catalog.toolsKnown || analysis.partial) return;
    const mentions = toolMentionsByName(file);
    const declared = new Map<string, Named>(file.contract.tools.map((tool) => [tool.name, tool]));
    for (const name of new Set([...declared.keys(), ...mentions.keys()])) {
      if (analysis.isKnownTool(catalog, name) || AUTHORING_TOOLS.includes(name)) continue;
      const draft = draftOf(analysis, file, name, declared.get(name), mentions.get(name) ?? []);
      if (draft) yield draft;
    }
  },
};

function draftOf(
  analysis: Analysis,
  file: SkillFile,
  name: string,
  entry: Named | undefined,
  mentions: readonly Mention[],
): Draft | undefined {
  const place = entry ?? mentions[0];
  if (!place) return undefined;
  const catalog = analysis.catalogOf(file.uri);
  const near = nearestNames(name, [...catalog.tools.keys(), ...analysis.graph.tools]);
  const names = [...(entry ? [entry.span] : []), ...mentions.map(({ nameSpan }) => nameSpan)];
  const others = mentions.filter((mention) => mention !== place);
  const removals = others.flatMap(({ span, isReference }) => (isReference ? [removeReference(file, span)] : []));
  return {
    span: place.span,
    message: `No tool is called \`${name}\`: the catalog does not declare it, so no caller can hold it.${didYouMean(near)}`,
    related: others.map(({ span }) => ({ uri: file.uri, span, message: `\`${name}\` is named here too` })),
    fixes: [
      ...replaceName(file, names, near),
      ...(entry ? [] : declareIn(file, 'tools', name, `Declare \`${name}\` in \`tools\``)),
      ...addToCatalog(analysis, catalog, 'tools', stub(name), `Add \`${name}\` to the catalog`),
      ...(entry
        ? removeFromList(file, 'tools', entry.span, `Remove \`${name}\` from \`tools\``)
        : 'isReference' in place && (place as Mention).isReference
          ? [fixHere(file, 'Remove the reference', [removeReference(file, place.span), ...removals])]
          : []),
    ],
  };
}

/** A descriptor to fill in. */
const stub = (name: string): string =>
  `{name: ${name}, description: "What ${name} does", input_schema: {}, operation: READ}`;
