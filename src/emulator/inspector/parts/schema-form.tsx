import { useId, useState } from "preact/hooks";
import { readJson } from "../../../shared/json.js";
import { controlOf, type FormSchema, type Inputs, inputIn, shownOf, startOf, valuesOf } from "../schema-values.js";
import { Action } from "./actions.jsx";

interface SchemaFormProps {
  /** Schema of an object. */
  readonly schema: FormSchema;
  readonly submit: string;
  readonly kind?: "primary" | "small";
  /** Called with the object that the form describes. */
  readonly onSubmit: (value: Readonly<Record<string, unknown>>) => Promise<unknown>;
  /** Whether the value can be written as JSON, for what the form can't express. */
  readonly allowsJson?: boolean;
}

/** A form made from a schema. */
export function SchemaForm({ schema, submit, kind = "primary", onSubmit, allowsJson = false }: SchemaFormProps) {
  const [inputs, setInputs] = useState(() => startOf(schema));
  const [json, setJson] = useState<string>();
  const { required = [] } = schema;
  const shown = shownOf(schema, inputs);
  return (
    <div class="form">
      {json !== undefined ? (
        <Field
          name="json"
          schema={{ type: "string", label: "JSON", contentMediaType: "application/json" }}
          text={json}
          onChange={setJson}
        />
      ) : shown.length > 0 ? (
        shown.map(([name, property]) => (
          <Field
            key={name}
            name={name}
            schema={property}
            isRequired={required.includes(name)}
            text={inputIn(inputs, name)}
            onChange={(text) => setInputs({ ...inputs, [name]: text })}
          />
        ))
      ) : (
        <p class="muted wide">It takes no fields.</p>
      )}
      <div class="wide buttons">
        <Action kind={kind} run={async () => onSubmit(json === undefined ? valuesOf(schema, inputs) : parsed(json))}>
          {submit}
        </Action>
        {allowsJson && (
          <button
            type="button"
            class="small"
            onClick={() => setJson(json === undefined ? asJson(schema, inputs) : undefined)}
          >
            {json === undefined ? "Edit as JSON" : "Back to the form"}
          </button>
        )}
      </div>
    </div>
  );
}

function asJson(schema: FormSchema, inputs: Inputs): string {
  try {
    return JSON.stringify(valuesOf(schema, inputs), null, 2);
  } catch {
    return JSON.stringify(inputs, null, 2);
  }
}

/** Whether it's an object, the emulator checks. */
function parsed(json: string): Record<string, unknown> {
  try {
    return readJson(json) as Record<string, unknown>;
  } catch {
    throw new Error("This isn't valid JSON.");
  }
}

interface FieldProps {
  readonly name: string;
  readonly schema: FormSchema;
  readonly isRequired?: boolean;
  readonly text: string;
  readonly onChange: (text: string) => void;
}

/** A property as a field of a form. */
export function Field({ name, schema, isRequired = false, text, onChange }: FieldProps) {
  const { label, labels = {}, description, minimum, maximum, examples = [] } = schema;
  const control = controlOf(schema, isRequired);
  const id = useId();
  const field = {
    id,
    value: text,
    onInput: ({ currentTarget: { value } }: { currentTarget: { value: string } }) => onChange(value),
  };
  const isWide = control === "long" || control === "json";
  return (
    <div class={isWide ? "field wide" : `field ${control}`}>
      <label for={id}>
        {label ?? <code>{name}</code>} {isRequired && label === undefined && <span class="muted">required</span>}
      </label>
      {control === "choice" ? (
        <select {...field}>
          {!isRequired && <option value="">not sent</option>}
          {(schema.enum ?? [true, false]).map(String).map((choice) => (
            <option key={choice} value={choice}>
              {Object.hasOwn(labels, choice) ? labels[choice] : choice}
            </option>
          ))}
        </select>
      ) : isWide ? (
        <textarea
          {...field}
          rows={text.length > 200 ? 12 : 3}
          spellcheck={control === "long"}
          placeholder={control === "json" ? "JSON" : undefined}
        />
      ) : control === "check" ? (
        <input
          id={id}
          type="checkbox"
          checked={text === "true"}
          onChange={({ currentTarget }) => onChange(String(currentTarget.checked))}
        />
      ) : control === "number" ? (
        <input {...field} type="number" step="any" min={minimum} max={maximum} />
      ) : control === "time" ? (
        <input {...field} type="datetime-local" step={1} />
      ) : (
        <input {...field} type="text" list={`${id}-examples`} />
      )}
      {examples.length > 0 && (
        <datalist id={`${id}-examples`}>
          {examples.map(String).map((example) => (
            <option key={example} value={example} />
          ))}
        </datalist>
      )}
      {description && <span class="help">{description}</span>}
    </div>
  );
}
