/** The table of refactorings, in the order in which editors list them: a new one is one file and one line here. */
import { extractInclude } from './extract-include.ts';
import { extractParameter } from './extract-parameter.ts';
import { literalToTemplate } from './literal-to-template.ts';
import type { Refactoring } from './refactoring.ts';
import { sampleToExample } from './sample-to-example.ts';
import { schemaForm } from './schema-form.ts';
import { splitTools } from './split-tools.ts';
import { templateToLiteral } from './template-to-literal.ts';

export const refactorings: readonly Refactoring[] = [
  extractParameter,
  extractInclude,
  literalToTemplate,
  templateToLiteral,
  schemaForm,
  sampleToExample,
  splitTools,
];
