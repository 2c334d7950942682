import { useId, useState } from "preact/hooks";
import { controlOf, startOf, valuesOf } from "../schema-values.js";
import type { Schema } from "../view-types.js";
import { Action } from "./basics.jsx";

interface SchemaFormProps {
  readonly schema: Schema;
  readonly submit: string;
  /** Called with the object that the form describes. */
  readonly onSubmit: (value: unknown) => Promise<unknown>;
}

/** A form made from the JSON Schema of an object, with the same value as JSON for what a form can't express. */
export function SchemaForm({ schema, submit, onSubmit }: SchemaFormProps) {
  const [inputs, setInputs] = useState(() => startOf(schema));
  const [json, setJson] = useState<string>();
  const names = Object.keys(schema.properties ?? {});
  const required = schema.required ?? [];
  const ordered = [
    ...names.filter((name) => required.includes(name)),
    ...names.filter((name) => !required.includes(name)),
  ];
  const send = async () => onSubmit(json === undefined ? valuesOf(schema, inputs) : parsed(json));
  const toggle = () => setJson(json === undefined ? asJson(schema, inputs) : undefined);
  return (
    <div class="form">
      {json === undefined ? (
        ordered.map((name) => (
          <Field
            key={name}
            name={name}
            schema={schema.properties?.[name] ?? {}}
            isRequired={required.includes(name)}
            text={inputs[name] ?? ""}
            onChange={(text) => setInputs({ ...inputs, [name]: text })}
          />
        ))
      ) : (
        <label class="wide">
          JSON
          <textarea
            rows={12}
            spellcheck={false}
            value={json}
            onInput={({ currentTarget }) => setJson(currentTarget.value)}
          />
        </label>
      )}
      {names.length === 0 && json === undefined && <p class="muted wide">It takes no fields.</p>}
      <div class="wide buttons">
        <Action kind="primary" run={send}>
          {submit}
        </Action>
        <button type="button" class="small" onClick={toggle}>
          {json === undefined ? "Edit as JSON" : "Back to the form"}
        </button>
      </div>
    </div>
  );
}

function asJson(schema: Schema, inputs: Readonly<Record<string, string>>): string {
  try {
    return JSON.stringify(valuesOf(schema, inputs), null, 2);
  } catch {
    return JSON.stringify(inputs, null, 2);
  }
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw new Error("This isn't valid JSON.");
  }
}

interface FieldProps {
  readonly name: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
  readonly text: string;
  readonly onChange: (text: string) => void;
}

function Field({ name, schema, isRequired, text, onChange }: FieldProps) {
  const control = controlOf(schema);
  const id = useId();
  const isWide = control === "long" || control === "json";
  return (
    <div class={isWide ? "field wide" : "field"}>
      <label for={id}>
        <code>{name}</code> {isRequired ? <span class="muted">required</span> : null}
      </label>
      <Input id={id} control={control} schema={schema} text={text} onChange={onChange} />
      {schema.description && <span class="help">{schema.description}</span>}
    </div>
  );
}

interface InputProps extends Pick<FieldProps, "schema" | "text" | "onChange"> {
  readonly id: string;
  readonly control: ReturnType<typeof controlOf>;
}

function Input({ id, control, schema, text, onChange }: InputProps) {
  if (control === "choice" || control === "boolean") {
    const choices = schema.enum ?? [true, false];
    return (
      <select id={id} value={text} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        <option value="">not sent</option>
        {choices.map((choice) => (
          <option key={String(choice)}>{String(choice)}</option>
        ))}
      </select>
    );
  }
  if (control === "long" || control === "json") {
    return (
      <textarea
        id={id}
        rows={3}
        spellcheck={control === "long"}
        placeholder={control === "json" ? "JSON" : undefined}
        value={text}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    );
  }
  const change = ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) => onChange(currentTarget.value);
  return control === "number" ? (
    <input id={id} type="number" step="any" value={text} onInput={change} />
  ) : (
    <input id={id} type="text" value={text} onInput={change} />
  );
}
