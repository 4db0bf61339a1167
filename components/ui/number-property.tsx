'use client'
/** A number in a property list. A text that is not a number is reported under the field, and changes nothing. */
import { useId, useState } from 'react'
import { NumberField, type NumberFieldProps, Property, type PropertyProps } from './field'

interface NumberPropertyProps
  extends NumberFieldProps,
    Pick<PropertyProps, 'label' | 'hint' | 'error' | 'reset'> {}

export function NumberProperty({ label, hint, error, reset, id, ...field }: NumberPropertyProps) {
  const own = useId()
  const [wrong, setWrong] = useState<string>()
  return (
    <Property
      label={label}
      htmlFor={id ?? own}
      error={wrong ?? error}
      hint={hint}
      {...(reset !== undefined && { reset })}
    >
      <NumberField
        {...field}
        id={id ?? own}
        onText={(typed, isNumber) => setWrong(isNumber ? undefined : `“${typed}” is not a number.`)}
      />
    </Property>
  )
}
