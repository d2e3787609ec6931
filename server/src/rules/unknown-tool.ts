import { AUTHORING_TOOLS } from '../vocabulary/known-names.ts';
import { toolMentionsByName } from './common/mentions.ts';
import { unknownNames } from './common/unknown-names.ts';
import { type Rule, SKILLS } from './rule.ts';

/** A tool that is in no catalog. */
export const unknownTool: Rule = {
  name: 'unknown-tool',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 5' },
  dialects: SKILLS,
  *check(file, analysis) {
    const catalog = analysis.catalogOf(file.uri);
    // A tool may be a contract in a file that is not read yet.
    if (!catalog.toolsKnown || analysis.partial) return;
    yield* unknownNames(analysis, file, {
      key: 'tools',
      mentions: toolMentionsByName(file),
      isKnown: (name) => analysis.isKnownTool(catalog, name) || AUTHORING_TOOLS.includes(name),
      known: () => [...catalog.tools.keys(), ...analysis.graph.tools],
      message: (name, suggestion) =>
        `No tool is called \`${name}\`: the catalog does not declare it, so no caller can hold it.${suggestion}`,
      catalogItem: (name) => `{name: ${name}, description: "What ${name} does", input_schema: {}, operation: READ}`,
    });
  },
};
