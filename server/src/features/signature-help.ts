/** Signature help for the call under the cursor in a template or a condition. The call may be incomplete. */
import type { ParameterInformation, SignatureHelp } from 'vscode-languageserver-types';
import { type Builtin, findFilter, findFunction, findLoopField, findTest } from '../languages/minijinja/builtins.ts';
import { type EnclosingCall, findCall } from '../languages/minijinja/cursor.ts';
import { valueOffset } from '../languages/yaml/source-spans.ts';
import type { ParsedTemplate } from '../skill/artifact-data.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { touches } from '../text.ts';
import { explainBuiltin } from './hover/describe.ts';
import { type Markdown, markup, md } from './markdown.ts';
import { describeMacro, findMacro } from './symbol/macros.ts';
import { findTemplate } from './symbol/template-values.ts';

/** The capabilities of the client for signature help. */
export interface SignatureClient {
  /** True if the client supports parameter labels as offsets. */
  readonly offsets: boolean;
  /** True if the client supports `null` as the active parameter. */
  readonly noneActive: boolean;
}

interface SignatureParameter {
  readonly name: string;
  readonly label: string;
  readonly passed: Builtin['parameters'][number]['passed'];
}

interface Signature {
  readonly label: string;
  readonly parameters: readonly SignatureParameter[];
  readonly docs: Markdown;
}

export function signatureHelp(file: SkillFile, offset: number, client: SignatureClient): SignatureHelp | null {
  const here = findTemplate(file, offset);
  const call = here ? findCall(here.template, offset) : findCallInCondition(file, offset);
  if (!call) return null;
  const signature = (here && ofMacro(file, here, call, offset)) ?? ofBuiltin(call);
  if (!signature) return null;
  const { label, parameters, docs } = signature;
  const active = activeOf(parameters, call);
  const none = client.noneActive ? null : parameters.length;
  return {
    signatures: [
      {
        label,
        parameters: parametersIn(label, parameters, client.offsets),
        documentation: markup(docs),
      },
    ],
    activeSignature: 0,
    activeParameter: active < 0 ? (none as number) : active,
  };
}

function findCallInCondition({ text, conditions }: SkillFile, offset: number): EnclosingCall | undefined {
  const here = conditions.find(({ scalar }) => touches(scalar.span, offset));
  const at = here && valueOffset(text, here.scalar, offset);
  return here && at !== undefined ? findCall(here.expression, at) : undefined;
}

function ofBuiltin({ kind, path }: EnclosingCall): Signature | undefined {
  const [first = '', second] = path;
  const found =
    kind === 'filter'
      ? findFilter(first)
      : kind === 'test'
        ? findTest(first)
        : second === undefined
          ? findFunction(first)
          : first === 'loop' && path.length === 2
            ? findLoopField(second)
            : undefined;
  if (!found || found.parameters.length === 0) return undefined;
  const labels = found.signature.slice(found.name.length + 1, -1).split(', ');
  return {
    label: found.signature,
    parameters: found.parameters.map(({ name, passed }, i) => ({ name, passed, label: labels[i] ?? name })),
    docs: explainBuiltin(found),
  };
}

function ofMacro(
  file: SkillFile,
  here: ParsedTemplate,
  { kind, path }: EnclosingCall,
  offset: number,
): Signature | undefined {
  const macro = kind === 'function' ? findMacro(file, here, path, offset) : undefined;
  if (!macro) return undefined;
  const { label, parameters } = describeMacro(macro, file.text);
  return {
    label,
    parameters: macro.parameters.map(({ name }, i) => ({
      name: name.text,
      passed: 'either',
      label: parameters[i] ?? name.text,
    })),
    docs: md`Macro · A missing argument gets its parameter's default value, or is undefined.`,
  };
}

/** Returns the index of the parameter for an argument; -1 for a surplus argument. */
function activeOf(parameters: readonly SignatureParameter[], { index, keyword }: EnclosingCall): number {
  const rest = parameters.findIndex(({ passed }) => passed === 'rest');
  if (keyword !== undefined) {
    const named = parameters.findIndex(({ name, passed }) => name === keyword && passed !== 'position');
    return named >= 0 ? named : rest;
  }
  const byPlace = parameters.flatMap(({ passed }, i) => (passed === 'position' || passed === 'either' ? [i] : []));
  return byPlace[index] ?? rest;
}

function parametersIn(
  label: string,
  parameters: readonly SignatureParameter[],
  offsets: boolean,
): ParameterInformation[] {
  let from = label.indexOf('(') + 1;
  return parameters.map((parameter) => {
    const start = label.indexOf(parameter.label, from);
    from = start + parameter.label.length;
    return { label: offsets ? [start, from] : parameter.label };
  });
}
