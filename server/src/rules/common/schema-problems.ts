/** The problems of all schemas that a file declares: its contract, its tools' constraints, and a catalog's tools. */
import { parseSchema, type SchemaProblem } from '../../languages/schema/schema.ts';
import { findValue, listItems, type YamlNode } from '../../languages/yaml/node.ts';
import type { SkillFile } from '../../skill/skill-file.ts';

export function schemaProblems(file: SkillFile): readonly SchemaProblem[] {
  const { contract, frontmatter } = file;
  if (file.dialect === 'catalog') {
    return listItems(findValue(frontmatter.tree.root, 'tools')).flatMap((tool) =>
      SCHEMA_KEYS.flatMap((key) => problemsIn(findValue(tool, key))),
    );
  }
  return [
    ...(contract.input?.schema.problems ?? []),
    ...(contract.output?.schema.problems ?? []),
    ...contract.tools.flatMap(({ constraints }) => problemsInFragment(constraints)),
  ];
}

const SCHEMA_KEYS = ['input_schema', 'inputSchema', 'input', 'output_schema', 'outputSchema', 'output'];

const problemsIn = (node: YamlNode | undefined): readonly SchemaProblem[] => (node ? parseSchema(node).problems : []);

/** A fragment such as `{required: [limit]}` can be read as shorthand, too, so only plain JSON Schema is checked. */
function problemsInFragment(node: YamlNode | undefined): readonly SchemaProblem[] {
  const schema = node && parseSchema(node);
  return schema?.form === 'json-schema' ? schema.problems : [];
}
