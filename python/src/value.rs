//! Values of Arrow arrays as Python objects.

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Date32Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type,
    Int64Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, downcast_dictionary_array};
use arrow_schema::DataType;
use pyo3::BoundObject;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyList, PyType};

/// 1970-01-01 as `datetime.date.fromordinal` counts days, from the first day of the year 1.
const EPOCH: i32 = 719_163;

/// `None` if it is missing; else a number, a text, a date, bytes or a list of these.
pub(crate) fn value<'py>(
    py: Python<'py>,
    array: &dyn Array,
    row: usize,
) -> PyResult<Bound<'py, PyAny>> {
    if array.is_null(row) {
        return Ok(py.None().into_bound(py));
    }
    Ok(match array.data_type() {
        DataType::Boolean => array.as_boolean().value(row).into_pyobject(py)?.to_owned().into_any(),
        DataType::UInt8 => number::<UInt8Type>(py, array, row)?,
        DataType::UInt16 => number::<UInt16Type>(py, array, row)?,
        DataType::UInt32 => number::<UInt32Type>(py, array, row)?,
        DataType::UInt64 => number::<UInt64Type>(py, array, row)?,
        DataType::Int8 => number::<Int8Type>(py, array, row)?,
        DataType::Int16 => number::<Int16Type>(py, array, row)?,
        DataType::Int32 => number::<Int32Type>(py, array, row)?,
        DataType::Int64 => number::<Int64Type>(py, array, row)?,
        DataType::Float32 => number::<Float32Type>(py, array, row)?,
        DataType::Float64 => number::<Float64Type>(py, array, row)?,
        DataType::Utf8 => array.as_string::<i32>().value(row).into_pyobject(py)?.into_any(),
        DataType::LargeUtf8 => array.as_string::<i64>().value(row).into_pyobject(py)?.into_any(),
        DataType::FixedSizeBinary(_) => {
            PyBytes::new(py, array.as_fixed_size_binary().value(row)).into_any()
        }
        DataType::Date32 => date(py, array.as_primitive::<Date32Type>().value(row))?,
        DataType::LargeList(_) => list(py, &array.as_list::<i64>().value(row))?,
        DataType::FixedSizeList(..) => list(py, &array.as_fixed_size_list().value(row))?,
        DataType::Dictionary(..) => downcast_dictionary_array!(
            array => match array.key(row) {
                Some(key) => value(py, array.values(), key)?,
                None => py.None().into_bound(py),
            },
            other => return Err(unexpected(other))
        ),
        other => return Err(unexpected(other)),
    })
}

fn number<'py, T: ArrowPrimitiveType>(
    py: Python<'py>,
    array: &dyn Array,
    row: usize,
) -> PyResult<Bound<'py, PyAny>>
where
    T::Native: IntoPyObject<'py>,
{
    let number = array.as_primitive::<T>().value(row);
    Ok(number.into_pyobject(py).map_err(Into::into)?.into_any().into_bound())
}

fn list<'py>(py: Python<'py>, items: &dyn Array) -> PyResult<Bound<'py, PyAny>> {
    let items = (0..items.len()).map(|index| value(py, items, index));
    Ok(PyList::new(py, items.collect::<PyResult<Vec<_>>>()?)?.into_any())
}

/// Returns a `datetime.date`.
fn date(py: Python<'_>, days: i32) -> PyResult<Bound<'_, PyAny>> {
    static DATE: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    DATE.import(py, "datetime", "date")?.call_method1("fromordinal", (days + EPOCH,))
}

fn unexpected(data_type: &DataType) -> PyErr {
    PyTypeError::new_err(format!("values of the type {data_type} are only for to_arrow"))
}
