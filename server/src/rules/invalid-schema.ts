import type { Draft } from '../finding.ts';
import { parseSchema, type SchemaProblem } from '../languages/schema/schema.ts';
import { findValue, listItems, type YamlNode } from '../languages/yaml/node.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { fixHere, type Rule } from './rule.ts';

export const invalidSchema: Rule = {
  name: 'invalid-schema',
  number: 'E005',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 3' },
  dialects: ['composer', 'contract', 'catalog'],
  *check(file) {
    for (const problem of problemsOf(file)) yield draftOf(file, problem);
  },
};

function problemsOf(file: SkillFile): readonly SchemaProblem[] {
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

const draftOf = (file: SkillFile, { span, message, severity, fix }: SchemaProblem): Draft => ({
  span,
  message,
  fixes: fix ? fixHere(file, fix.title, [{ span: fix.span, newText: fix.newText }]) : [],
  ...(severity ? { severity } : {}),
});
