"""HuggingFace transformers: one class of each model folder or more, from its configuration made small.

A name is that of a class, as `BertForMaskedLM`; with `@long` it is called with long texts, with `@cache` to decode one
token behind a prompt that is in its cache.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from benchmarks.accuracy.recipes import Built, Inputs
from benchmarks.accuracy.recipes.hf_configs import Sizes, small_config

if TYPE_CHECKING:
    from benchmarks.accuracy.recipes.hf_call import Size

PACKAGE = "transformers"

_TASKS = (
    "MASKED_LM",
    "SEQ_TO_SEQ_CAUSAL_LM",
    "SPEECH_SEQ_2_SEQ",
    "IMAGE_TEXT_TO_TEXT",
    "CAUSAL_LM",
    "CTC",
    "OBJECT_DETECTION",
    "UNIVERSAL_SEGMENTATION",
    "INSTANCE_SEGMENTATION",
    "SEMANTIC_SEGMENTATION",
    "IMAGE_CLASSIFICATION",
    "VIDEO_CLASSIFICATION",
    "AUDIO_CLASSIFICATION",
    "ZERO_SHOT_IMAGE_CLASSIFICATION",
    "ZERO_SHOT_OBJECT_DETECTION",
    "DEPTH_ESTIMATION",
    "MASK_GENERATION",
    "KEYPOINT_DETECTION",
    "KEYPOINT_MATCHING",
    "TIME_SERIES_PREDICTION",
    "MULTIMODAL_LM",
    "TEXT_TO_WAVEFORM",
    "TEXT_TO_SPECTROGRAM",
    "VISUAL_QUESTION_ANSWERING",
    "QUESTION_ANSWERING",
    "SEQUENCE_CLASSIFICATION",
    "PRETRAINING",
    "IMAGE_TO_IMAGE",
    "BACKBONE",
)
"""What a model folder is asked for, in this order; the first that it has is what is run."""
_ATTEMPTS = (
    Sizes(),
    Sizes(key_heads=4),
    Sizes(layers=4, key_heads=4),
    Sizes(width=512, head=128),
    Sizes(width=256, head=64),
    Sizes(width=None, inner=None, heads=None, key_heads=None, head=None),
    Sizes(image=None),
    Sizes(layers=12, width=None, inner=None, heads=None, key_heads=None, head=None),
)
_LONG_TEXT = 768
"""Tokens: more than sparse attention can do without."""
_MOST_PARAMETERS = 200_000_000


_BESIDES = (
    "ASTModel",
    "AlbertForPreTraining",
    "BartForSequenceClassification",
    "BeitForImageClassification",
    "BertForMultipleChoice",
    "BertForNextSentencePrediction",
    "BertForPreTraining",
    "BertForQuestionAnswering",
    "BertForSequenceClassification",
    "BertForTokenClassification",
    "BigBirdForPreTraining",
    "ClapAudioModelWithProjection",
    "DetrForSegmentation",
    "FSMTModel",
    "GPT2DoubleHeadsModel",
    "GPT2ForSequenceClassification",
    "LlamaForSequenceClassification",
    "LlamaForTokenClassification",
    "LongformerForQuestionAnswering",
    "LongformerForMultipleChoice",
    "LukeForEntityClassification",
    "LxmertForPreTraining",
    "MaskFormerModel",
    "MobileBertForPreTraining",
    "MobileViTForImageClassification",
    "OPTForSequenceClassification",
    "PegasusForConditionalGeneration",
    "ProphetNetForConditionalGeneration",
    "RagModel",
    "ReformerForSequenceClassification",
    "RoFormerForMultipleChoice",
    "SeamlessM4TForSpeechToText",
    "SegformerForImageClassification",
    "SpeechT5ForTextToSpeech",
    "SwinForMaskedImageModeling",
    "T5ForSequenceClassification",
    "TapasForQuestionAnswering",
    "TapasForSequenceClassification",
    "TrOCRForCausalLM",
    "ViTForMaskedImageModeling",
    "ViltForMaskedLM",
    "Wav2Vec2ForAudioFrameClassification",
    "Wav2Vec2ForPreTraining",
    "Wav2Vec2ForSequenceClassification",
    "Wav2Vec2ForXVector",
    "WhisperForAudioClassification",
    "XLMForQuestionAnswering",
    "XLNetForQuestionAnswering",
    "XLNetForSequenceClassification",
)
"""Other heads of some folders."""
_DECODING = (
    "BartForConditionalGeneration",
    "BloomForCausalLM",
    "Cohere2ForCausalLM",
    "FalconForCausalLM",
    "GPT2LMHeadModel",
    "GPTNeoXForCausalLM",
    "Gemma2ForCausalLM",
    "GptOssForCausalLM",
    "JambaForCausalLM",
    "LlamaForCausalLM",
    "MambaForCausalLM",
    "MistralForCausalLM",
    "OPTForCausalLM",
    "Qwen2MoeForCausalLM",
    "Qwen3NextForCausalLM",
    "T5ForConditionalGeneration",
    "XGLMForCausalLM",
)
_LONG = (
    "BigBirdForMaskedLM",
    "BigBirdPegasusForConditionalGeneration",
    "LEDForConditionalGeneration",
    "LongT5ForConditionalGeneration",
    "LongformerForMaskedLM",
    "NystromformerForMaskedLM",
    "PegasusXForConditionalGeneration",
    "ReformerModelWithLMHead",
)


def names() -> list[str]:
    ways = {f"{name}@cache" for name in _DECODING} | {f"{name}@long" for name in _LONG}
    return sorted({*_first_of_folders().values(), *_BESIDES, *ways})


def build(name: str) -> Built:
    import torch

    chosen = _chosen(name)
    torch.manual_seed(0)
    return Built(chosen.make(), chosen.first, chosen.second, chosen.train is not None, chosen.train)


@dataclass(frozen=True)
class _Chosen:
    """A configuration and inputs with which the model runs in eager mode."""

    make: Callable[[], Any]
    first: Inputs
    second: Inputs
    train: Inputs | None
    """None where training makes no sense."""


@cache
def _chosen(name: str) -> _Chosen:
    """The first attempt that works: sizes by sizes, and ways to call by ways. Raises ValueError with what all said."""
    import torch
    import transformers

    class_name, _, way = name.partition("@")
    model_class = getattr(transformers, class_name)
    called = {"": _called, "long": _called_with_long_texts, "cache": _called_to_decode}[way]
    said: dict[str, None] = {}
    for sizes in _ATTEMPTS:
        try:
            positions = _LONG_TEXT + 256 if way == "long" else 0
            config = small_config(model_class.config_class, replace(sizes, positions=positions))
            with torch.device("meta"):
                if model_class(copy.deepcopy(config)).num_parameters() > _MOST_PARAMETERS:
                    raise ValueError("too large")
            torch.manual_seed(0)
            return called(partial(_make, model_class, config))
        except Exception as error:
            said[f"{type(error).__name__}: {error}"[:300]] = None
    raise ValueError(" | ".join(said))


def _make(model_class: Any, config: Any) -> Any:
    return model_class(copy.deepcopy(config))


def _called(make: Callable[[], Any]) -> _Chosen:
    from benchmarks.accuracy.recipes.hf_call import Size

    return _called_with(make, Size())


def _called_with_long_texts(make: Callable[[], Any]) -> _Chosen:
    from benchmarks.accuracy.recipes.hf_call import Size

    return _called_with(make, Size(batch=1, length=_LONG_TEXT))


def _called_with(make: Callable[[], Any], size: Size) -> _Chosen:
    from benchmarks.accuracy.recipes import hf_inputs
    from benchmarks.accuracy.recipes.hf_call import other

    model = make().eval()
    said: dict[str, None] = {}
    seconds = hf_inputs.arguments(model, other(size))
    for first, second in zip(hf_inputs.arguments(model, size), seconds, strict=True):
        if error := _error(model, first) or _error(model, second):
            said[error] = None
            continue
        model.train()
        with_labels = ({**first, **added} for added in hf_inputs.labels(model, first))
        train = next((given for given in with_labels if not _error(model, given)), first)
        return _Chosen(make, Inputs(kwargs=first), Inputs(kwargs=second), Inputs(kwargs=train))
    raise ValueError(" / ".join(said))


def _called_to_decode(make: Callable[[], Any]) -> _Chosen:
    from benchmarks.accuracy.recipes import hf_inputs
    from benchmarks.accuracy.recipes.hf_call import Size, other

    model = make().eval()
    size = Size()
    first, second = (hf_inputs.next_token(model, each) for each in (size, other(size)))
    if error := _error(model, first) or _error(model, second):
        raise ValueError(error)
    return _Chosen(make, Inputs(kwargs=first), Inputs(kwargs=second), None)


def _error(model: Any, given: Mapping[str, Any]) -> str:
    import torch

    try:
        with torch.no_grad():
            model(**copy.deepcopy(given))
    except Exception as error:
        return f"{type(error).__name__}: {error}"[:160]
    return ""


def _first_of_folders() -> dict[str, str]:
    """The class to run of each model folder."""
    from transformers.models.auto import modeling_auto
    from transformers.models.auto.configuration_auto import model_type_to_module_name

    found: dict[str, str] = {}
    mappings = [getattr(modeling_auto, f"MODEL_FOR_{task}_MAPPING_NAMES") for task in _TASKS]
    for mapping in (*mappings, modeling_auto.MODEL_MAPPING_NAMES):
        for model_type, classes in mapping.items():
            folder = model_type_to_module_name(model_type)
            found.setdefault(folder, classes if isinstance(classes, str) else classes[0])
    return found
