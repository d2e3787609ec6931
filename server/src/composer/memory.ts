/** Which memory items the prompt depends on (docs/composer.md, "Request and result"). */
import type { ComposeRequest } from './composition.ts';
import type { Framing } from './find-framing.ts';
import { renderWith } from './framing.ts';
import type { TemplateEngine } from './render/engine.ts';

/** Beyond this, items are not tried one by one: all count as used. */
const MAX_TRIED = 64;

/** The ids of the items without which the rendered framing would differ. Only a template can read memory. */
export function memoryDependencies(
  engine: TemplateEngine,
  request: ComposeRequest,
  framing: Framing,
  rendered: string,
): readonly string[] {
  const { memoryContext, skillPackage } = request;
  if (framing.kind !== 'template' || memoryContext.length === 0) return [];
  const mentions = skillPackage.artifacts.some(({ template }) => template?.text.includes('memory'));
  if (!mentions) return [];
  if (memoryContext.length > MAX_TRIED) return memoryContext.map(({ id }) => id);
  return memoryContext.flatMap((item) => {
    const rest = memoryContext.filter((other) => other !== item);
    const result = renderWith(engine, request, framing.template, rest);
    return result.ok && result.text === rendered ? [] : [item.id];
  });
}
